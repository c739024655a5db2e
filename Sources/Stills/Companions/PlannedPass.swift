// SPDX-License-Identifier: MIT

internal import Colour

/// A pass that comes before a picture is made: over the picture, or over one that goes along with it.
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

  /// - Parameter decoderThreads: how many threads may decode inside of a picture that has no tiles to share.
  func job(decoderThreads: Int, salvages: Bool) -> PictureJob {
    let isPicture = subject == .picture
    return PictureJob(
      setup, encoder: pass, conversion: BandConversion(conversion), output: pass,
      decoderThreads: isPicture && setup.steps.count == 1 ? decoderThreads : 1,
      salvages: isPicture && salvages)
  }
}
