// SPDX-License-Identifier: MIT

/// A walk over the NAL units of a sample that is still in its file, reading only the beginning of each.
public struct NALUnitWalk: Sendable {
  private let sample: Extent
  private let lengthSize: Int
  /// The bytes that were read, and their offset in the sample.
  private var window: [UInt8]
  private var start: Int
  /// The offset of the next length, relative to the start of the sample.
  public private(set) var place = 0

  /// Creates a walk that begins at the first NAL unit.
  ///
  /// - Parameter lengthSize: the number of bytes before each NAL unit, 1 to 4.
  public init(over sample: Extent, lengthSize: Int) {
    self.sample = sample
    self.lengthSize = lengthSize
    window = sample.source.resident ?? []
    start = window.isEmpty ? 0 : -sample.range.lowerBound
  }

  /// Whether the sample ends inside a NAL unit or a length; known once the end is reached.
  public var isTorn: Bool {
    place > sample.count || place < sample.count && sample.count - place < lengthSize
  }

  /// Returns the next NAL unit, the last of which may extend beyond the sample; `nil` if there is no further length.
  public mutating func next() throws(SyntaxError) -> LengthPrefixed.Head? {
    guard sample.count - place >= lengthSize else { return nil }
    let first = place + lengthSize
    if min(first + 1, sample.count) > start + window.count {
      let from = sample.range.lowerBound + place
      window = try sample.source.bytes(
        in: from..<min(from + Self.glance, sample.range.upperBound))
      start = place
    }
    let length = Int(bigEndianBytes: window.span, at: place - start, count: lengthSize)
    place = first + length
    let isEmpty = length == 0 || first == sample.count
    return LengthPrefixed.Head(
      range: first..<place, first: isEmpty ? 0 : window[first - start])
  }

  /// The number of bytes to read at once; most NAL units before the first slice are short.
  private static let glance = 256
}
