// SPDX-License-Identifier: MIT

internal import ApusBytes

/// Follows the chunks of an AVI or WAVE file: "Multimedia Programming Interface and Data Specifications 1.0", RIFF.
struct RIFFWatch: ElementWatch {
  private struct Parent {
    /// The offset of its end; `nil` if it does not declare a size.
    var end: Int?
  }

  let count: Int
  private var parents: [Parent] = []
  /// The offset of the next chunk.
  private(set) var next = 0
  /// Whether the last chunk had an odd size, and thus a byte after it.
  private var isPadded = false
  private var failure: String?
  private var isOver = false

  static let longestHeader = 12

  var isDone: Bool { failure != nil || isOver }

  /// - Parameter count: the size of the file in bytes.
  init(count: Int) { self.count = count }

  /// Reads the header of a chunk, and the type of a list.
  mutating func read(_ bytes: Span<UInt8>) {
    guard bytes.count >= 8 else {
      isOver = true
      return
    }
    while let end = parents.last?.end, next >= end { parents.removeLast() }
    let code = FourCC(UInt32(bigEndianBytes: bytes, at: 0, count: 4))
    guard !parents.isEmpty || code == "RIFF" else {
      // Bytes after the RIFF chunk, such as tags, are not chunks of it.
      isOver = true
      return
    }
    guard (0..<4).allSatisfy({ (0x20...0x7e).contains(bytes[$0]) }) else {
      // Some writers omit the byte after a chunk of odd size.
      if isPadded {
        isPadded = false
        next -= 1
        return
      }
      failure = "no chunk begins at byte \(next)"
      return
    }
    let size = UInt32(bigEndianBytes: bytes, at: 4, count: 4).byteSwapped
    // Writers that cannot return to the beginning leave sizes open.
    let isOpen = size == .max || (size == 0 && (code == "RIFF" || code == "LIST" || code == "data"))
    let end = next + 8 + Int(size) + Int(size & 1)
    if !isOpen, end - Int(size & 1) > count {
      failure = "the file ends \(end - count) bytes before the end of the chunk at byte \(next)"
      return
    }
    if !isOpen, let parent = parents.last?.end, end - Int(size & 1) > parent {
      failure = "the chunk at byte \(next) is larger than the one that contains it"
      return
    }
    if code == "RIFF" || (code == "LIST" && bytes.count >= Self.longestHeader && holdsFrames(bytes))
    {
      parents.append(Parent(end: isOpen ? nil : end))
      next += Self.longestHeader
    } else if isOpen {
      isOver = true
    } else {
      next = end
      isPadded = size & 1 != 0
    }
  }

  /// Returns whether a list holds frames, `movi`, or some of them, `rec `.
  private func holdsFrames(_ bytes: Span<UInt8>) -> Bool {
    let type = FourCC(UInt32(bigEndianBytes: bytes, at: 8, count: 4))
    return type == "movi" || type == "rec "
  }

  var words: [String] { failure.map { [$0] } ?? [] }
}
