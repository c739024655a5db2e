// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import HEVC

/// A NAL unit after its length, found at an offset of a file.
struct CodedUnit {
  /// The range of its bytes, without the length.
  var range: Range<Int>
  /// The first bytes; of a parameter set all.
  var start: ArraySlice<UInt8>

  /// The places of a NAL unit in a file that may end anywhere.
  enum Found {
    case whole(CodedUnit)
    /// The file ends inside the NAL unit.
    case cut(ArraySlice<UInt8>)
    case none
  }

  /// Finds the NAL unit whose length is at an offset.
  ///
  /// - Parameter most: the maximum size that is plausible.
  static func find(
    at offset: Int, _ syntax: UnitSyntax, lengthSize: Int, most: Int, in window: inout SearchWindow
  ) throws(SyntaxError) -> Found {
    let head = try window.bytes(at: offset, upTo: lengthSize + UnitSyntax.glance)
    guard head.count >= lengthSize + 2 else { return .none }
    let length = Int(bigEndianBytes: head.prefix(lengthSize))
    let start = head.dropFirst(lengthSize)
    guard length >= 2, length <= most, syntax.isValid(start) else { return .none }
    let range = offset + lengthSize..<offset + lengthSize + length
    guard range.upperBound <= window.count else { return .cut(start) }
    let wanted = syntax.isParameterSet(start) ? length : min(length, SliceSegmentHeader.startLength)
    guard wanted <= mostSetBytes else { return .none }
    return .whole(
      CodedUnit(range: range, start: try window.bytes(at: range.lowerBound, upTo: wanted)))
  }

  /// Returns whether the NAL unit contains no bytes that a NAL unit must not contain.
  ///
  /// A few zero bytes at its end, which some cameras leave there, are ignored.
  func isClean(in source: any ByteSource) throws(SyntaxError) -> Bool {
    var end = range.upperBound
    while end > range.lowerBound, try source.bytes(in: end - 1..<end)[0] == 0 { end -= 1 }
    guard range.upperBound - end <= Self.mostZeros else { return false }
    var start = range.lowerBound
    while start < end {
      // Pieces overlap, because a forbidden sequence may be at their border.
      let piece = try source.bytes(in: start..<min(start + Self.piece, end))
      if StartCode.firstForbidden(in: piece.span) != nil { return false }
      guard start + piece.count < end else { break }
      start += piece.count - 3
    }
    return true
  }

  private static let mostZeros = 64
  private static let mostSetBytes = 1 << 16
  private static let piece = 1 << 18
}
