// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import ApusPNG

/// A grey PNG of only the luma samples, mapped with a table: of depth, alpha and mattes, whose samples are numbers
/// instead of colours.
///
/// It may cross threads because bands are encoded one at a time.
final class PlaneOutput: PictureEncoder, @unchecked Sendable {
  let isSequential = true
  private let encoder: PNGEncoder
  private let table: PlaneTable

  init(width: Int, height: Int, _ table: PlaneTable) throws {
    encoder = try PNGEncoder(
      PNGSettings(width: width, height: height, bitDepth: table.bitDepth, kind: .gray))
    self.table = table
  }

  func beginning() throws -> [UInt8] { try encoder.begin() }

  func encode(_ band: ConvertedBand, on worker: Worker) throws -> [UInt8] {
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

  func ending() throws -> [UInt8] { try encoder.finish() }
}
