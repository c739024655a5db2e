// SPDX-License-Identifier: MIT

/// A four-character code: the type of a box, a brand, a handler (ISO/IEC 14496-12, 4.2).
public struct FourCC: Hashable, Sendable {
  /// The code as a number, the first character in its highest byte.
  public var code: UInt32
  /// Creates a code from a number with the first character in its highest byte.
  @inlinable public init(_ code: UInt32) { self.code = code }

  /// Creates a code of four bytes.
  @inlinable public init(_ bytes: some Sequence<UInt8>) { code = UInt32(bigEndianBytes: bytes) }

  /// The four bytes, in reading order.
  public var bytes: [UInt8] { code.bigEndianBytes }

  /// Whether every character can be typed.
  public var isPrintable: Bool {
    [24, 16, 8, 0].allSatisfy { (0x20...0x7e).contains(UInt8(truncatingIfNeeded: code >> $0)) }
  }

  /// Creates a code from text: at most four Latin-1 characters, padded with spaces.
  public init?(text: String) {
    let scalars = Array(text.unicodeScalars)
    guard (1...4).contains(scalars.count), scalars.allSatisfy({ $0.value < 256 }) else {
      return nil
    }
    code = (0..<4).reduce(0) { $0 << 8 | ($1 < scalars.count ? scalars[$1].value : 0x20) }
  }
}

extension FourCC: ExpressibleByStringLiteral {
  /// Creates a code from four characters of Latin-1. The compiler evaluates literals, so nothing is left to do at run
  /// time.
  @inlinable
  public init(stringLiteral text: StaticString) {
    guard text.hasPointerRepresentation else {
      self.init(text.unicodeScalar.value & 0xff)
      return
    }
    var code: UInt32 = 0
    for index in 0..<text.utf8CodeUnitCount {
      // In bounds: the text has this number of bytes.
      let byte = unsafe UInt32(text.utf8Start[index])
      // In UTF-8 the upper half of Latin-1 has two bytes, the first of which contains the upper two bits.
      if byte & 0xc0 == 0x80 {
        code = code & ~0xff | (code << 6 & 0xc0) | byte & 0x3f
      } else {
        code = code << 8 | byte
      }
    }
    self.init(code)
  }
}

/// Printable characters and the © of QuickTime are unchanged, every other byte is written as `\xNN`.
extension FourCC: CustomStringConvertible {
  public var description: String {
    bytes.reduce(into: "") { text, byte in
      switch byte {
      case 0x5c, 0x2f, 0x5b, 0x5d: text += escaped(byte)
      case 0x20...0x7e: text.unicodeScalars.append(Unicode.Scalar(byte))
      case 0xa9: text += "©"
      default: text += escaped(byte)
      }
    }
  }

  private func escaped(_ byte: UInt8) -> String { "\\x" + byte.hexadecimal(width: 2) }
}

extension FourCC {
  /// Parses a code in the form of `description`: `©` and `\xNN` denote bytes that cannot be typed.
  public init?(escapedText text: String) {
    var scalars = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "\\", rest.first == "x",
        let byte = UInt8(hexadecimal: String(rest.dropFirst().prefix(2)))
      {
        scalars.append(Unicode.Scalar(byte))
        rest = rest.dropFirst(3)
      } else {
        scalars.append(scalar)
      }
    }
    self.init(text: String(scalars))
  }
}
