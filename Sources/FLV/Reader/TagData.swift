// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The data of a tag, whose beginning is in memory.
struct TagData: ~Escapable {
  private let bytes: Span<UInt8>
  private let range: Range<Int>
  private let source: (any ByteSource)?

  /// - Parameters:
  ///   - bytes: the first bytes.
  ///   - range: the range of all bytes, to which the ranges in packets refer.
  ///   - source: the source of the remaining bytes; `nil` if all are in memory.
  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>, of range: Range<Int>, _ source: (any ByteSource)?) {
    (self.bytes, self.range, self.source) = (bytes, range, source)
  }

  /// Returns as much of a part as is in memory.
  @_lifetime(copy self)
  func head(of part: Range<Int>) -> Span<UInt8> {
    let part = part.clamped(to: range.lowerBound..<range.lowerBound + bytes.count)
    return bytes.extracting(
      part.lowerBound - range.lowerBound..<part.upperBound - range.lowerBound)
  }

  /// Returns whether NAL units, each after its length, fill a frame to its last byte. Of a file only the lengths are
  /// read.
  func isFilled(by frame: Range<Int>, lengthSize: Int) throws(SyntaxError) -> Bool {
    let frame = frame.clamped(to: range)
    var place = frame.lowerBound
    while place < frame.upperBound {
      guard frame.upperBound - place > lengthSize else { return false }
      let next = place + lengthSize
      let known = head(of: place..<next)
      if known.count == lengthSize {
        place = next + Int(bigEndianBytes: known, at: 0, count: lengthSize)
      } else if let source {
        let read = try source.bytes(in: place..<next)
        place = next + Int(bigEndianBytes: read)
      } else {
        return false
      }
    }
    return place == frame.upperBound
  }
}
