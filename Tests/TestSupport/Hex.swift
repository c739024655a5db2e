// SPDX-License-Identifier: MIT

/// Bytes from hexadecimal digits; blanks and line breaks are passed over.
public func hex(_ text: String) -> [UInt8] {
  let digits = text.unicodeScalars.compactMap { Character($0).hexDigitValue }
  var bytes: [UInt8] = []
  for place in stride(from: 0, to: digits.count - 1, by: 2) {
    bytes.append(UInt8(digits[place] << 4 | digits[place + 1]))
  }
  return bytes
}
