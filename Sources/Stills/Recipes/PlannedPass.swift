// SPDX-License-Identifier: MIT

internal import Colour

/// A pass before a picture is made, over the picture itself or over one that accompanies it.
struct PlannedPass {
  /// The picture that the pass processes.
  enum Subject: Hashable, Sendable {
    case picture, gainMap
    /// An auxiliary picture, with its name for people.
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
