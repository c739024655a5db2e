// SPDX-License-Identifier: MIT

// Percent-encoding: RFC 3986, 2.1.

extension Sequence<UInt8> {
  /// Returns the bytes as text of a URI, with escapes for all but ASCII letters, digits, `-._~` and the characters of `others`.
  package func percentEncoded(allowing others: String = "") -> String {
    let plain = ("-._~" + others).utf8
    return reduce(into: "") { text, byte in
      if (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20) || plain.contains(byte)
      {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%" + byte.hexadecimal(width: 2, uppercase: true)
      }
    }
  }
}

extension StringProtocol {
  /// Returns the text with its escapes resolved, or `nil` if that is not UTF-8.
  ///
  /// - Parameter isStrict: whether a percent sign without two digits after it is an error, too, rather than kept.
  package func percentDecoded(isStrict: Bool = false) -> String? {
    var bytes: [UInt8] = []
    var rest = Substring(self).utf8
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        let value = UInt8(hexadecimal: Substring(digits))
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else if byte == UInt8(ascii: "%"), isStrict {
        return nil
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
