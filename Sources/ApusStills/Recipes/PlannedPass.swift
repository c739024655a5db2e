// SPDX-License-Identifier: MIT

internal import ApusColour
internal import ApusMedia

/// An encoder that writes no output, but finds out something that the picture needs.
protocol FirstPass: PictureEncoder {
  /// The destination of encoded bytes; `nil` if there are none.
  var gathered: MemoryDestination? { get }
  func add(to results: inout PassResults) throws
}

extension FirstPass {
  var gathered: MemoryDestination? { nil }
}

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
      maker: PictureMaker(
        encoder: pass, conversion: BandConversion(conversion), output: pass.gathered),
      salvages: subject == .picture && salvaging, sharesThreads: subject == .picture)
  }
}
