// SPDX-License-Identifier: MIT

internal import ApusMedia

/// A pass that reduces a picture before its colours are converted.
final class ScaledOutput: FirstPass {
  private let colour: PictureScaler
  private let alpha: PictureScaler?

  /// - Parameters:
  ///   - canvas: the format of the whole picture.
  ///   - alpha: the format of its alpha.
  ///   - format: the format of the reduced picture; the bit depth is that of the canvas.
  init(
    _ canvas: PictureFormat, alpha: PictureFormat?, bandHeight: Int, to format: PictureFormat
  ) {
    colour = PictureScaler(canvas, to: format, bandHeight: bandHeight)
    self.alpha = alpha.map { whole in
      var small = whole
      (small.width, small.height) = (format.width, format.height)
      return PictureScaler(whole, to: small, bandHeight: bandHeight)
    }
  }

  func encode(_ band: ConvertedBand, on worker: Worker) throws -> [UInt8] {
    colour.add(band.picture, index: band.index)
    if let plane = band.alpha { alpha?.add(plane, index: band.index) }
    return []
  }

  func add(to results: inout PassResults) throws { results.scaled = picture() }

  /// Returns the picture; call it after all bands were added.
  func picture() -> ScaledPicture {
    ScaledPicture(colour: colour.picture(), alpha: alpha?.picture())
  }
}
