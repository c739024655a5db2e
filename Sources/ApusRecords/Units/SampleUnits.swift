// SPDX-License-Identifier: MIT

package import ApusBytes

/// The NAL units of a sample or an item, one after the other.
package struct SampleUnits: Sendable {
  /// A NAL unit without its length.
  package struct Unit: Sendable {
    package var bytes: Extent
    package var first: UInt8
  }

  private let sample: Extent
  private var walk: NALUnitWalk
  private var left = Self.most

  /// The maximum number of NAL units in one sample.
  private static let most = 1 << 13

  package init(in sample: Extent, lengthSize: Int) {
    self.sample = sample
    walk = NALUnitWalk(over: sample, lengthSize: lengthSize)
  }

  /// Returns the next NAL unit; `nil` after the last. Throws if the last is longer than the sample, after its beginning
  /// was returned.
  package mutating func next() throws(SyntaxError) -> Unit? {
    let start = sample.range.lowerBound
    while let head = try walk.next() {
      guard left > 0 else {
        throw SyntaxError(
          .limit, field: "NAL units", offset: start, detail: "are more than \(Self.most)")
      }
      left -= 1
      let range = head.range.clamped(to: 0..<sample.count)
      if range.isEmpty { continue }
      return Unit(
        bytes: Extent(sample.source, start + range.lowerBound..<start + range.upperBound),
        first: head.first)
    }
    guard !walk.isTorn else {
      throw SyntaxError(
        .truncated, field: "NAL unit", offset: start + min(walk.place, sample.count),
        detail: "is longer than its sample")
    }
    return nil
  }
}
