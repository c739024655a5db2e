// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia

/// The header of an uncompressed picture, and the location of its samples.
struct RasterHeader {
  var raster: Raster
  var colour: ColourDescription
  /// The position of colour samples relative to those of luma.
  var site = ChromaSite.left
  /// The samples of one picture.
  var data: Extent
  /// Properties of the picture that were not applied, with the reasons.
  var findings: [Finding] = []

  /// Reads words up to the end of a line; `nil` if that is not among the first bytes.
  static func line(of data: Extent, at place: Int) throws(SyntaxError) -> [UInt8]? {
    let start = data.range.lowerBound + place
    guard start < data.range.upperBound else { return nil }
    let end = min(start + 1024, data.range.upperBound)
    let bytes = try data.source.bytes(in: start..<end)
    return bytes.firstIndex(of: 0x0A).map { Array(bytes[..<$0]) }
  }

  /// Returns the samples that begin at an offset; throws if they are incomplete.
  static func samples(of raster: Raster, in data: Extent, at place: Int) throws(SyntaxError)
    -> Extent
  {
    let start = data.range.lowerBound + place
    let left = data.range.upperBound - start
    guard raster.byteCount <= left else {
      throw SyntaxError(
        .truncated, field: "samples", offset: start,
        detail:
          "of \(raster.format.width) × \(raster.format.height) need \(raster.byteCount) bytes, but "
          + "only \(max(left, 0)) follow")
    }
    return Extent(data.source, start..<start + raster.byteCount)
  }

  /// Rejects dimensions that exceed any memory, before they are multiplied.
  static func check(_ width: Int, _ height: Int) throws(SyntaxError) {
    let sides = 1...1 << 20
    guard sides.contains(width), sides.contains(height) else {
      throw SyntaxError(
        .unsupported, field: "sides", offset: 0,
        detail: "are \(width) × \(height) instead of 1 to \(sides.upperBound)")
    }
  }
}
