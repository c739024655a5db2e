// SPDX-License-Identifier: MIT

/// The NAL units of a sample that is still in its file, one after the other: no more is read than the beginning of each.
public struct NALUnitWalk: Sendable {
  private let sample: Extent
  private let lengthSize: Int
  /// What was read, and where it begins in the sample.
  private var window: [UInt8]
  private var start: Int
  /// Where the next length is expected, counted from the start of the sample.
  public private(set) var place = 0

  /// A walk that begins at the first NAL unit.
  ///
  /// - Parameter lengthSize: how many bytes precede each NAL unit, 1 to 4.
  public init(over sample: Extent, lengthSize: Int) {
    self.sample = sample
    self.lengthSize = lengthSize
    window = sample.source.resident ?? []
    start = window.isEmpty ? 0 : -sample.range.lowerBound
  }

  /// Whether the sample ends inside a NAL unit, or inside a length; known when it was reached.
  public var isTorn: Bool {
    place > sample.count || place < sample.count && sample.count - place < lengthSize
  }

  /// The next NAL unit, of which the last may lead out of the sample; `nil` where no length is left.
  public mutating func next() throws(SyntaxError) -> LengthPrefixed.Head? {
    guard sample.count - place >= lengthSize else { return nil }
    let first = place + lengthSize
    if min(first + 1, sample.count) > start + window.count {
      let from = sample.range.lowerBound + place
      window = try sample.source.bytes(
        in: from..<min(from + Self.glance, sample.range.upperBound))
      start = place
    }
    var length = 0
    for offset in place..<first { length = length << 8 | Int(window[offset - start]) }
    place = first + length
    let isEmpty = length == 0 || first == sample.count
    return LengthPrefixed.Head(
      range: first..<place, first: isEmpty ? 0 : window[first - start])
  }

  /// How much is read at once: most NAL units before the first slice are short.
  private static let glance = 256
}
