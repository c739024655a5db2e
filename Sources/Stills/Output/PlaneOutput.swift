// SPDX-License-Identifier: MIT

internal import Media
internal import PNG

/// A grey PNG of the luma samples alone, each replaced by what a table says: of depth, alpha and mattes, whose samples
/// are numbers and no colours.
///
/// May cross threads because bands are encoded one at a time.
final class PlaneOutput: PictureEncoder, @unchecked Sendable {
  let isSequential = true
  private let encoder: PNGEncoder
  private let table: PlaneTable

  init(width: Int, height: Int, _ table: PlaneTable) throws(PictureError) {
    encoder = try PNGEncoder(
      PNGSettings(width: width, height: height, bitDepth: table.bitDepth, kind: .gray))
    self.table = table
  }

  func beginning() throws(PictureError) -> [UInt8] { try encoder.begin() }

  func encode(_ band: ConvertedBand, on worker: Worker) throws(PictureError) -> [UInt8] {
    let source = band.picture
    var format = source.format
    (format.chroma, format.bitDepth) = (.monochrome, table.bitDepth)
    let target = Picture(format)
    for row in 0..<format.height {
      let input = unsafe source.plane(0) + row * source.strides[0]
      let output = unsafe target.plane(0) + row * target.strides[0]
      for column in 0..<format.width {
        let code =
          source.format.bytesPerSample == 1
          ? Int(unsafe input.load(fromByteOffset: column, as: UInt8.self))
          : Int(unsafe input.load(fromByteOffset: 2 * column, as: UInt16.self))
        let value = table.values[min(code, table.values.count - 1)]
        if format.bytesPerSample == 1 {
          unsafe output.storeBytes(
            of: UInt8(truncatingIfNeeded: value), toByteOffset: column, as: UInt8.self)
        } else {
          unsafe output.storeBytes(of: value, toByteOffset: 2 * column, as: UInt16.self)
        }
      }
    }
    return try unsafe encoder.append(target.view)
  }

  func ending() throws(PictureError) -> [UInt8] { try encoder.finish() }
}

/// What becomes of the samples of a plane.
public struct PlaneTable: Hashable, Sendable {
  /// For each code, one of `bitDepth` bits.
  var values: [UInt16]
  /// 8 or 16.
  var bitDepth: Int

  /// Codes as they are, spread over 16 bits where there are more than 8.
  ///
  /// - Parameter isFullRange: whether the least and the greatest code are black and white; otherwise they are 16 and
  ///   235 with 8 bits.
  init(bitDepth depth: Int, isFullRange: Bool) {
    bitDepth = depth > 8 ? 16 : 8
    let largest = 1 << bitDepth - 1
    let (low, high) =
      isFullRange ? (0, 1 << depth - 1) : (16 << (depth - 8), 235 << (depth - 8))
    values = (0..<1 << depth).map { code in
      let value = (min(max(code, low), high) - low) * largest
      return UInt16((value + (high - low) / 2) / (high - low))
    }
  }

  /// Numbers from 0 to 1 for each code, spread over 16 bits.
  init(shares: [Double]) {
    bitDepth = 16
    values = shares.map { UInt16((min(max($0, 0), 1) * 65535).rounded()) }
  }
}
