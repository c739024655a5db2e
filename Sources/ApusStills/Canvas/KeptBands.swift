// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import ApusThreads
internal import HEIF

/// The bands of a canvas, kept from one pass over a picture for the following passes, so that it is decoded only once.
/// They are packed, because the whole picture is kept.
final class KeptBands: Sendable {
  let colour: CanvasLayout
  let alpha: CanvasLayout?
  private let bands = Monitor<[Int: Band]>([:])

  private struct Band {
    var colour: PackedPicture
    var alpha: PackedPicture?
  }

  /// The maximum memory for one picture, in bytes: 17 megapixels of 10-bit 4:2:0. Larger pictures are decoded again, so
  /// that memory use does not grow with the picture.
  private static let mostBytes = 32 << 20

  /// Creates storage for the bands of a picture; `nil` if they would take too much memory or there is nothing to
  /// decode.
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

  /// Restores the samples of a kept band.
  func restore(_ index: Int, into band: Canvas.Band) {
    guard let kept = bands.withLock({ $0[index] }) else { return }
    kept.colour.unpack(into: band.colour)
    if let alpha = band.alpha { kept.alpha?.unpack(into: alpha) }
  }
}
