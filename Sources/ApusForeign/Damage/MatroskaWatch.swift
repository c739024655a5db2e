// SPDX-License-Identifier: MIT

internal import ApusBytes

/// Follows the elements of a Matroska file down to its blocks: RFC 8794; RFC 9559, 5.1.
struct MatroskaWatch: ElementWatch {
  /// An element whose children are checked.
  private struct Parent {
    var id: UInt32
    /// The offset of its end; `nil` if it does not declare a size.
    var end: Int?
  }

  private static let segment: UInt32 = 0x1853_8067
  private static let cluster: UInt32 = 0x1f43_b675
  private static let group: UInt32 = 0xa0
  /// The elements that may be in each of those. Void and CRC-32 may be anywhere.
  private static let children: [UInt32: Set<UInt32>] = [
    0: [0x1a45_dfa3, segment],
    segment: [
      0x114d_9b74, 0x1549_a966, 0x1654_ae6b, 0x1c53_bb6b, 0x1941_a469, 0x1043_a770, 0x1254_c367,
      cluster,
    ],
    cluster: [0xe7, 0x5854, 0xa7, 0xab, 0xa3, 0xaf, group],
    group: [0xa1, 0xa2, 0x75a1, 0x9b, 0xfa, 0xfb, 0xfd, 0xa4, 0x75a2, 0x8e, 0xc8],
  ]
  private static let anywhere: Set<UInt32> = [0xec, 0xbf]
  static let longestHeader = 12
  private static let mostCuts = 4

  let count: Int
  private var parents = [Parent(id: 0, end: nil)]
  /// The offset of the next element.
  private(set) var next = 0
  private var unknown = (count: 0, first: 0)
  /// A description of the first place at which no element could be read.
  private var failure: String?
  /// Descriptions of the elements that the end of the file cuts, the outermost first; of few if sizes are damaged.
  private var cuts: [String] = []
  /// The bytes in which no element was found that is known.
  private var lost: [Range<Int>] = []
  /// The place from which the next child of the Segment is searched for.
  private var lostStart: Int?

  var isDone: Bool { false }

  var unread: [Range<Int>] { lost + (lostStart.map { [$0..<next] } ?? []) }

  /// - Parameter count: the size of the file in bytes.
  init(count: Int) { self.count = count }

  /// Reads the header of an element.
  mutating func read(_ bytes: Span<UInt8>) {
    if lostStart != nil, !resumes(bytes) { return }
    while let end = parents.last?.end, next >= end, parents.count > 1 { parents.removeLast() }
    guard let parent = parents.last else { return }
    guard let header = Self.header(bytes) else {
      return fail(
        bytes.count < Self.longestHeader && parents.count > 1
          ? "the file ends inside an element" : "no element begins at byte \(next)")
    }
    let (code, size) = (header.code, header.size)
    var isUnsized = header.isUnsized
    let isKnown = Self.anywhere.contains(code) || Self.children[parent.id]?.contains(code) == true
    if !isKnown, parent.end == nil, parents.count > 1 {
      // An element without a size ends where something begins that cannot be its child.
      let above = parents.dropLast().last { Self.children[$0.id]?.contains(code) == true }
      if above != nil {
        parents.removeLast()
        return read(bytes)
      }
    }
    let start = next + header.count
    let isParent = isKnown && Self.children[code] != nil
    let (end, overflow) = start.addingReportingOverflow(Int(clamping: size))
    if parent.id == 0, !isKnown {
      return fail("\(count - next) bytes from byte \(next) on belong to no element")
    }
    if !isUnsized, overflow || end > parent.end ?? count {
      let isCut = !overflow && end > count && (parent.end ?? count) == count
      let words =
        isCut
        ? "the file ends \(end - count) bytes before the end of an element that begins at byte \(next)"
        : "the element at byte \(next) is larger than the one that contains it"
      guard code == Self.segment || isCut && isParent else { return fail(words) }
      if cuts.count < Self.mostCuts {
        cuts.append(
          code == Self.segment
            ? "the file ends before its Segment, which announces \(size) bytes from byte \(start) on"
            : words)
      }
      isUnsized = true
    }
    if !isKnown {
      if unknown.count == 0 { unknown.first = next }
      unknown.count += 1
    }
    if isParent {
      parents.append(Parent(id: code, end: isUnsized ? nil : end))
      next = start
    } else if isUnsized {
      fail("the element at byte \(next) has no size")
    } else {
      if !isKnown { addLost(next..<end) }
      next = end
    }
  }

  private mutating func addLost(_ range: Range<Int>) {
    if let last = lost.last, last.upperBound == range.lowerBound {
      lost[lost.count - 1] = last.lowerBound..<range.upperBound
    } else {
      lost.append(range)
    }
  }

  /// Begins a search for the next child of the Segment, as libavformat does.
  private mutating func fail(_ words: String) {
    failure = failure ?? words
    lostStart = next
    next += 1
  }

  /// Returns whether a child of the Segment begins here; moves on by a byte if not.
  private mutating func resumes(_ bytes: Span<UInt8>) -> Bool {
    // The IDs of all of them have four bytes.
    guard let start = lostStart, bytes[0] >> 4 == 1, let header = Self.header(bytes),
      Self.children[Self.segment]?.contains(header.code) == true
    else {
      next += 1
      return false
    }
    addLost(start..<next)
    lostStart = nil
    // After damage, the size of the Segment says nothing.
    parents = [parents[0], Parent(id: Self.segment, end: nil)]
    return true
  }

  /// Reads the header of an element: its ID, its size, its own size, and whether it declares no size.
  private static func header(_ bytes: Span<UInt8>) -> (
    code: UInt32, size: UInt64, count: Int, isUnsized: Bool
  )? {
    guard let (id, width) = number(bytes, keepsMark: true), width <= 4,
      let (size, length) = number(bytes.extracting(width..<bytes.count), keepsMark: false)
    else { return nil }
    let isUnsized = size == UInt64(1) << UInt64(7 * length) - 1
    return (UInt32(truncatingIfNeeded: id), size, width + length, isUnsized)
  }

  /// Reads a number of variable length (RFC 8794, 4), and returns it with its size in bytes.
  private static func number(_ bytes: Span<UInt8>, keepsMark: Bool) -> (UInt64, Int)? {
    guard !bytes.isEmpty, bytes[0] != 0 else { return nil }
    let length = bytes[0].leadingZeroBitCount + 1
    guard length <= bytes.count else { return nil }
    let value = UInt64(bigEndianBytes: bytes, at: 0, count: length)
    return (keepsMark ? value : value & (1 << UInt64(7 * length) - 1), length)
  }

  var words: [String] {
    var words: [String] = []
    if unknown.count > 0 {
      words.append(
        Self.count(
          unknown.count, "element of an unknown kind is skipped,",
          "elements of unknown kinds are skipped", first: unknown.first))
    }
    return words + cuts + [failure].compactMap(\.self)
  }
}
