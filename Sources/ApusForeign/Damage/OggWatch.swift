// SPDX-License-Identifier: MIT

internal import ApusBytes

/// Follows the pages of an Ogg file: RFC 3533, 6. Their checksums are left to libavformat.
struct OggWatch: ElementWatch {
  let count: Int
  /// The offset of the next page.
  private(set) var next = 0
  /// The number of the next page of each stream, by its serial number.
  private var numbers: [UInt32: UInt32] = [:]
  private var gaps = (count: 0, first: 0)
  private var failure: String?

  private static let header = 27
  static let longestHeader = header + 255

  var isDone: Bool { failure != nil }

  /// - Parameter count: the size of the file in bytes.
  init(count: Int) { self.count = count }

  /// Reads the header of a page.
  mutating func read(_ bytes: Span<UInt8>) {
    let begins =
      bytes.count >= 4 && bytes[0] == 0x4f && bytes[1] == 0x67 && bytes[2] == 0x67
      && bytes[3] == 0x53
    guard begins else {
      failure = "no page begins at byte \(next), which \(count - next) bytes follow"
      return
    }
    guard bytes.count >= Self.header, Self.header + Int(bytes[26]) <= bytes.count else {
      failure = "the file ends inside a page, at byte \(next)"
      return
    }
    let segments = Int(bytes[26])
    var end = next + Self.header + segments
    for index in 0..<segments { end += Int(bytes[Self.header + index]) }
    guard end <= count else {
      failure = "the file ends inside a page, at byte \(next)"
      return
    }
    let serial = UInt32(bigEndianBytes: bytes, at: 14, count: 4).byteSwapped
    let number = UInt32(bigEndianBytes: bytes, at: 18, count: 4).byteSwapped
    // A stream may begin with any number.
    if let expected = numbers[serial], number != expected, bytes[5] & 2 == 0 {
      if gaps.count == 0 { gaps.first = next }
      gaps.count += 1
    }
    numbers[serial] = number &+ 1
    next = end
  }

  var words: [String] {
    let found =
      gaps.count > 0
      ? Self.count(
        gaps.count, "gap in the count of pages,", "gaps in the count of pages", first: gaps.first)
      : nil
    return [found, failure].compactMap(\.self)
  }
}
