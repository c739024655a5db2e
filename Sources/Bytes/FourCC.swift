// SPDX-License-Identifier: MIT

/// A four-character code: the type of a box, a brand, a handler (ISO/IEC 14496-12, 4.2).
public struct FourCC: Hashable, Sendable {
  public var code: UInt32
  @inlinable public init(_ code: UInt32) { self.code = code }

  public var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: code >> (24 - 8 * $0)) } }

  /// Whether every character is one that a person can type.
  public var isPrintable: Bool {
    [24, 16, 8, 0].allSatisfy { (0x20...0x7e).contains(UInt8(truncatingIfNeeded: code >> $0)) }
  }

  /// The code as a person writes it: at most four Latin-1 characters, short ones padded with spaces.
  public init?(text: String) {
    let scalars = Array(text.unicodeScalars)
    guard (1...4).contains(scalars.count), scalars.allSatisfy({ $0.value < 256 }) else {
      return nil
    }
    code = (0..<4).reduce(0) { $0 << 8 | ($1 < scalars.count ? scalars[$1].value : 0x20) }
  }
}

extension FourCC: ExpressibleByStringLiteral {
  /// Four characters of Latin-1. The compiler knows a literal, so nothing of this is left to be done.
  @inlinable
  public init(stringLiteral text: StaticString) {
    guard text.hasPointerRepresentation else {
      self.init(text.unicodeScalar.value & 0xff)
      return
    }
    var code: UInt32 = 0
    for index in 0..<text.utf8CodeUnitCount {
      // In bounds: so many bytes has the text.
      let byte = unsafe UInt32(text.utf8Start[index])
      // In UTF-8 the upper half of Latin-1 has two bytes, the first of which is the upper two bits.
      if byte & 0xc0 == 0x80 {
        code = code & ~0xff | (code << 6 & 0xc0) | byte & 0x3f
      } else {
        code = code << 8 | byte
      }
    }
    self.init(code)
  }
}

/// Printable characters and the © of QuickTime as they are, every other byte as `\xNN`.
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

  private func escaped(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return "\\x" + (digits.count < 2 ? "0" : "") + digits
  }
}

extension FourCC {
  /// A type as `description` shows it: `©` and `\xNN` stand for bytes that cannot be typed.
  public init?(escapedText text: String) {
    var scalars = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "\\", rest.first == "x",
        let byte = UInt8(String(rest.dropFirst().prefix(2)), radix: 16)
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
