// SPDX-License-Identifier: MIT

extension BinaryInteger {
  /// Returns the hexadecimal digits of the number, with zeros before them where they are fewer than `width`.
  package func hexadecimal(width: Int = 1, uppercase: Bool = false) -> String {
    let digits = String(self, radix: 16, uppercase: uppercase)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}

extension Sequence<UInt8> {
  /// Returns two hexadecimal digits for each byte.
  package func hexadecimal(uppercase: Bool = false) -> String {
    let digits = Array((uppercase ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
    var text: [UInt8] = []
    text.reserveCapacity(underestimatedCount * 2)
    for byte in self {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension FixedWidthInteger {
  /// Creates the number that hexadecimal digits make; `nil` for anything else, a sign included.
  package init?(hexadecimal digits: some StringProtocol) {
    guard digits.first?.isHexDigit == true else { return nil }
    self.init(digits, radix: 16)
  }
}

extension [UInt8] {
  /// Creates the bytes that pairs of hexadecimal digits make; `nil` for anything else.
  package init?(hexadecimal digits: some StringProtocol) {
    let text = Array(digits.utf8)
    guard text.count % 2 == 0 else { return nil }
    self.init()
    reserveCapacity(text.count / 2)
    for place in stride(from: 0, to: text.count, by: 2) {
      let pair = String(decoding: text[place...place + 1], as: UTF8.self)
      guard pair.last?.isHexDigit == true, let byte = UInt8(hexadecimal: pair) else { return nil }
      append(byte)
    }
  }
}
