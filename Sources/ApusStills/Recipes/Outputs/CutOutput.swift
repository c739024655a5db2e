// SPDX-License-Identifier: MIT

internal import ApusMedia

/// An encoder of a part of the canvas, which receives rows of pixels from top to bottom.
///
/// The canvas is larger than the part, because colours at the edges of the part are interpolated.
final class CutOutput: PictureEncoder {
  let isSequential = true
  private let base: any PictureEncoder
  private let kept: PixelRect
  private let bandHeight: Int
  private let pixel: Int

  /// - Parameters:
  ///   - base: the encoder of the part, which accepts interleaved samples.
  ///   - kept: the part of the canvas.
  ///   - pixel: the number of bytes in a pixel.
  init(_ base: any PictureEncoder, kept: PixelRect, bandHeight: Int, pixel: Int) {
    self.base = base
    self.kept = kept
    self.bandHeight = bandHeight
    self.pixel = pixel
  }

  var encoders: [CodecUse] { base.encoders }
  var digest: UInt64? { base.digest }

  func beginning() throws -> [UInt8] { try base.beginning() }

  func encode(_ band: ConvertedBand, on worker: Worker) throws -> [UInt8] {
    let source = band.picture
    let top = band.index * bandHeight
    let first = max(kept.y - top, 0)
    let last = min(kept.maxY - top, source.format.height)
    guard first < last else { return [] }
    var format = source.format
    format.height = last - first
    format.width = kept.width * pixel / format.bytesPerSample
    let part = Picture(format)
    for row in 0..<format.height {
      unsafe (part.plane(0) + row * part.strides[0]).copyMemory(
        from: source.plane(0) + (first + row) * source.strides[0] + kept.x * pixel,
        byteCount: kept.width * pixel)
    }
    return try base.encode(ConvertedBand(index: band.index, picture: part), on: worker)
  }

  func ending() throws -> [UInt8] { try base.ending() }

  func amendment(ofFileWith count: Int) throws -> Amendment? {
    try base.amendment(ofFileWith: count)
  }
}
