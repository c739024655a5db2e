// SPDX-License-Identifier: MIT

internal import Colour

/// A pass that comes before a picture is made: over the picture, or over one that accompanies it.
struct PlannedPass {
  /// What it goes over.
  enum Subject: Hashable, Sendable {
    case picture, gainMap
    /// What a person calls it.
    case auxiliary(String)
  }

  let pass: any FirstPass
  let setup: PictureSetup
  var conversion: SampleConversion?
  var subject = Subject.picture

  func recipe(salvaging: Bool) -> Recipe {
    Recipe(
      setup: setup,
      maker: PictureMaker(encoder: pass, conversion: BandConversion(conversion), output: pass),
      salvages: subject == .picture && salvaging, sharesThreads: subject == .picture)
  }
}
