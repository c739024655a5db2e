// SPDX-License-Identifier: MIT

internal import HEIF
internal import Media
internal import Threads

/// The bands of a canvas, kept by a pass over a picture for the passes that follow, so that it is decoded once. They are
/// packed, because a picture is kept whole.
final class KeptBands: Sendable {
  let colour: CanvasLayout
  let alpha: CanvasLayout?
  private let bands = Monitor<[Int: Band]>([:])

  private struct Band {
    var colour: PackedPicture
    var alpha: PackedPicture?
  }

  /// The most that is kept of a picture, in bytes: 17 megapixels of 4:2:0 with ten bits. Larger ones are decoded again,
  /// so that memory does not grow with the picture.
  private static let mostBytes = 32 << 20

  /// Creates a place for the bands of a picture that is decoded; `nil` if they would take too much memory, or nothing
  /// is decoded.
  init?(_ setup: PictureSetup, limits: PlanLimits) {
    (colour, alpha) = (setup.canvas.colour, setup.canvas.alpha)
    var bytes = 0
    for layout in [colour, alpha].compactMap({ $0 }) {
      guard let count = PackedPicture.bytes(of: layout.format) else { return nil }
      bytes += count
    }
    guard !setup.steps.isEmpty, bytes <= Self.mostBytes,
      (bytes + setup.canvas.windowBytes) >> 20 < limits.mebibytes
    else { return nil }
  }

  func keep(_ picture: Picture, alpha: Picture?, ofBand index: Int) {
    let band = Band(colour: PackedPicture(picture), alpha: alpha.map { PackedPicture($0) })
    bands.withLock { $0[index] = band }
  }

  /// Sets the samples of a band that was kept.
  func restore(_ index: Int, into band: Canvas.Band) {
    guard let kept = bands.withLock({ $0[index] }) else { return }
    kept.colour.unpack(into: band.colour)
    if let alpha = band.alpha { kept.alpha?.unpack(into: alpha) }
  }
}
