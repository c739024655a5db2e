// SPDX-License-Identifier: MIT

internal import ApusBytes

/// Follows the packs and packets of a program stream: ISO/IEC 13818-1, 2.5.3; ISO/IEC 11172-1, 2.4.3.
struct ProgramWatch: ElementWatch {
  let count: Int
  /// The offset of the next pack or packet.
  private(set) var next = 0
  private var stray = StrayBytes()
  private var failure: String?

  static let longestHeader = 14

  var isDone: Bool { failure != nil }

  /// - Parameter count: the size of the file in bytes.
  init(count: Int) { self.count = count }

  /// Reads the header of a pack or packet; other bytes are skipped one by one.
  mutating func read(_ bytes: Span<UInt8>) {
    guard let size = Self.size(bytes) else {
      stray.add(next)
      next += 1
      return
    }
    guard size <= count - next else {
      failure = "the file ends inside a packet, at byte \(next)"
      return
    }
    next += size
  }

  /// Returns whether the bytes begin with a start code.
  private static func isCode(_ bytes: Span<UInt8>) -> Bool {
    bytes.count > 2 && bytes[0] == 0 && bytes[1] == 0 && bytes[2] == 1
  }

  /// Returns the size of the pack or packet that begins there; `nil` if none does.
  private static func size(_ bytes: Span<UInt8>) -> Int? {
    guard bytes.count >= 4, isCode(bytes) else { return nil }
    switch bytes[3] {
    case 0xb9: return 4
    case 0xba:
      // The first bits distinguish MPEG-2 from MPEG-1.
      guard bytes.count >= 12 else { return 12 }
      guard bytes[4] & 0xc0 == 0x40 else { return bytes[4] & 0xf0 == 0x20 ? 12 : nil }
      return bytes.count >= 14 ? 14 + Int(bytes[13] & 7) : 14
    case 0xbb...0xff: return bytes.count >= 6 ? 6 + Int(bigEndianBytes: bytes, at: 4, count: 2) : 6
    default: return nil
    }
  }

  var words: [String] { [stray.words("packet"), failure].compactMap(\.self) }
}
