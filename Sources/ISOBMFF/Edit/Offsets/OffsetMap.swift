// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A map from the bytes of a file to their offsets in the new file.
struct OffsetMap: Hashable, Sendable {
  /// A range of bytes that stays together.
  struct Stretch: Hashable, Sendable {
    var old: Range<Int>
    var new: Int
    var shift: Int { new - old.lowerBound }
  }

  /// The remaining bytes, in the order of the old file.
  private(set) var stretches: [Stretch] = []
  /// The ranges that were deliberately cut, sorted; references to them are mapped to the bytes after them.
  private let cuts: [Range<Int>]
  let oldCount: Int
  let newCount: Int

  init(_ placed: [Stretch], cuts: [Range<Int>] = [], oldCount: Int, newCount: Int) {
    self.cuts = cuts.sorted { $0.lowerBound < $1.lowerBound }
    self.oldCount = oldCount
    self.newCount = newCount
    for stretch in placed.sorted(by: { $0.old.lowerBound < $1.old.lowerBound })
    where !stretch.old.isEmpty {
      guard let last = stretches.last else {
        stretches.append(stretch)
        continue
      }
      // Bytes that are written twice are mapped to their first position.
      guard stretch.old.lowerBound >= last.old.upperBound else { continue }
      if last.old.upperBound == stretch.old.lowerBound, last.shift == stretch.shift {
        stretches[stretches.count - 1].old = last.old.lowerBound..<stretch.old.upperBound
      } else {
        stretches.append(stretch)
      }
    }
  }

  /// Whether every remaining byte keeps its offset.
  var movesNothing: Bool { oldCount == newCount && stretches.allSatisfy { $0.shift == 0 } }

  /// Returns the new offset of the byte at `offset`, or of the bytes after it if it was cut out; `nil` if it was lost.
  func place(of offset: Int) -> Int? {
    guard offset < oldCount else { return placeBeyond(offset) }
    guard offset >= 0 else { return nil }
    guard let index = index(after: offset), stretches[index].old.contains(offset) else {
      return isCut(offset..<offset + 1) ? boundary(offset) : nil
    }
    return offset + stretches[index].shift
  }

  /// Returns the new offset of a byte that is missing because the file is truncated: its distance from the end is kept,
  /// which is right when the rest of the file is restored. `nil` if the file has a different end.
  private func placeBeyond(_ offset: Int) -> Int? {
    guard let last = stretches.last, last.old.upperBound == oldCount,
      last.old.upperBound + last.shift == newCount
    else { return nil }
    let (place, overflow) = offset.addingReportingOverflow(last.shift)
    return overflow ? nil : place
  }

  /// Returns the new offset of `range`, if its bytes are still contiguous.
  func place(of whole: Range<Int>) -> Int? {
    guard let start = place(of: whole.lowerBound) else { return nil }
    guard whole.upperBound <= oldCount || placeBeyond(whole.upperBound) != nil else { return nil }
    if whole.lowerBound >= oldCount { return start }
    let range = whole.clamped(to: 0..<oldCount)
    guard var next = index(after: range.lowerBound) else { return nil }
    while stretches[next].old.upperBound < range.upperBound {
      let stretch = stretches[next]
      let gap = stretch.old.upperBound..<min(nextStart(after: next), range.upperBound)
      guard isCut(gap) else { return nil }
      if gap.upperBound == range.upperBound { return start }
      next += 1
      guard next < stretches.count,
        stretches[next].new == stretch.new + stretch.old.count
      else { return nil }
    }
    return start
  }

  private func nextStart(after index: Int) -> Int {
    index + 1 < stretches.count ? stretches[index + 1].old.lowerBound : oldCount
  }

  /// Returns whether all bytes of a range were deliberately cut.
  private func isCut(_ range: Range<Int>) -> Bool {
    var (low, high) = (0, cuts.count)
    while low < high {
      let middle = (low + high) / 2
      if cuts[middle].upperBound <= range.lowerBound { low = middle + 1 } else { high = middle }
    }
    var place = range.lowerBound
    while place < range.upperBound {
      guard low < cuts.count, cuts[low].contains(place) else { return false }
      place = cuts[low].upperBound
      low += 1
    }
    return true
  }

  /// Returns the new offset of the first byte left at or after `offset`; the end of the file if there is none.
  func boundary(_ offset: Int) -> Int {
    guard let index = index(after: offset) else { return newCount }
    return stretches[index].old.contains(offset)
      ? offset + stretches[index].shift : stretches[index].new
  }

  /// Returns the new end of the last byte left before `offset`; 0 if there is none.
  func end(_ offset: Int) -> Int {
    var index = index(after: offset) ?? stretches.count
    if index < stretches.count, stretches[index].old.lowerBound < offset {
      return offset + stretches[index].shift
    }
    index -= 1
    guard index >= 0 else { return 0 }
    return stretches[index].old.upperBound + stretches[index].shift
  }

  /// Returns the reason why a range has no new offset.
  func reason(for range: Range<Int>) -> String {
    let bytes =
      range.lowerBound + 1 == range.upperBound
      ? "byte \(range.lowerBound)" : "bytes \(range.lowerBound) to \(range.upperBound - 1)"
    if range.upperBound > oldCount || range.lowerBound < 0 {
      return "points to \(bytes), but the file ends after \(oldCount) bytes"
    }
    if place(of: range.lowerBound) == nil || place(of: range.upperBound - 1) == nil {
      return "points to \(bytes), which are no longer there"
    }
    return "points to \(bytes), which are torn apart"
  }

  /// Returns the index of the first stretch that ends after `offset`.
  private func index(after offset: Int) -> Int? {
    var (low, high) = (0, stretches.count)
    while low < high {
      let middle = (low + high) / 2
      if stretches[middle].old.upperBound <= offset { low = middle + 1 } else { high = middle }
    }
    return low < stretches.count ? low : nil
  }
}
