// SPDX-License-Identifier: MIT

internal import ApusBytes

/// Follows the frames of bare sound and the tags around them.
struct SoundWatch: ElementWatch {
  let count: Int
  /// The offset of the next frame.
  private(set) var next = 0
  private let frames: SoundFrames
  private var stray = StrayBytes()
  private var failure: String?
  /// Whether no further frame can be found, because frames do not declare their size, or tags follow.
  private var isOver = false

  static let longestHeader = SoundFrames.longestHeader

  var isDone: Bool { failure != nil || isOver }

  /// Returns `nil` if the file does not begin with two frames, after tags.
  init?(_ source: any ByteSource) throws {
    count = source.count
    var start = 0
    while true {
      let header = try source.bytes(in: start..<min(count, start + 10))
      guard let size = Self.tagSize(header.span) else { break }
      start = min(start + size, count)
    }
    let kinds: [SoundFrames] = [.adts, .dolby, .mpeg]
    let found = try kinds.first { kind in
      guard let size = try kind.size(in: source, at: start), size > 0 else { return false }
      return try kind.size(in: source, at: start + size) != nil
    }
    guard let found else { return nil }
    frames = found
  }

  /// Reads the header of a frame; other bytes are skipped one by one.
  mutating func read(_ bytes: Span<UInt8>) {
    if let size = Self.tagSize(bytes) {
      next += size
      return
    }
    guard let size = frames.size(bytes) else {
      if Self.isLastTag(bytes) {
        isOver = true
        return
      }
      stray.add(next)
      next += 1
      return
    }
    guard size > 0 else {
      isOver = true
      return
    }
    guard size <= count - next else {
      failure =
        "the file ends \(size - (count - next)) bytes before the end of the frame at byte \(next)"
      return
    }
    next += size
  }

  /// Returns the size of a tag before frames: ID3v2, 3.1.
  private static func tagSize(_ bytes: Span<UInt8>) -> Int? {
    guard bytes.count >= 10, bytes[0] == 0x49, bytes[1] == 0x44, bytes[2] == 0x33 else {
      return nil
    }
    let size = (6..<10).reduce(0) { $0 << 7 | Int(bytes[$1] & 0x7f) }
    return 10 + size + (bytes[5] & 0x10 == 0 ? 0 : 10)
  }

  /// Returns whether a tag begins there that follows all frames: `TAG`, `APETAGEX`, `LYRICSBEGIN`.
  private static func isLastTag(_ bytes: Span<UInt8>) -> Bool {
    ["TAG", "APETAGEX", "LYRICSBEGI"].contains { word in
      word.utf8.count <= bytes.count
        && zip(word.utf8, 0..<word.utf8.count).allSatisfy { bytes[$1] == $0 }
    }
  }

  var words: [String] { [stray.words("frame"), failure].compactMap(\.self) }
}
