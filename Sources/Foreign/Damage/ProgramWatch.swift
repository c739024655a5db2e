// SPDX-License-Identifier: MIT

internal import Bytes

/// Follows the packs and packets of a program stream: ISO/IEC 13818-1, 2.5.3; ISO/IEC 11172-1, 2.4.3.
struct ProgramWatch: ElementWatch {
  let count: Int
  /// The offset of the next pack or packet.
  private(set) var next = 0
  private var stray = StrayBytes()
  private var failure: String?

  static let longestHeader = 14

  var isDone: Bool { failure != nil }

  /// - Parameter count: of the bytes of the file.
  init(count: Int) { self.count = count }

  /// Reads the header of a pack or packet; bytes where none begins are passed over one by one.
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

  /// Whether any start code is there.
  private static func isCode(_ bytes: Span<UInt8>) -> Bool {
    bytes.count > 2 && bytes[0] == 0 && bytes[1] == 0 && bytes[2] == 1
  }

  /// The size of what begins there; `nil` where nothing does.
  private static func size(_ bytes: Span<UInt8>) -> Int? {
    guard bytes.count >= 4, isCode(bytes) else { return nil }
    switch bytes[3] {
    case 0xb9: return 4
    case 0xba:
      // The first bits tell MPEG-2 from MPEG-1.
      guard bytes.count >= 12 else { return 12 }
      guard bytes[4] & 0xc0 == 0x40 else { return bytes[4] & 0xf0 == 0x20 ? 12 : nil }
      return bytes.count >= 14 ? 14 + Int(bytes[13] & 7) : 14
    case 0xbb...0xff: return bytes.count >= 6 ? 6 + (Int(bytes[4]) << 8 | Int(bytes[5])) : 6
    default: return nil
    }
  }

  var words: [String] { [stray.words("packet"), failure].compactMap(\.self) }
}
