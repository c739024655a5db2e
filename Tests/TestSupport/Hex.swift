// SPDX-License-Identifier: MIT

/// Bytes from hexadecimal digits; blanks and line breaks are passed over.
public func hex(_ text: String) -> [UInt8] {
  let digits = text.unicodeScalars.compactMap { Character($0).hexDigitValue }
  return stride(from: 0, to: digits.count - 1, by: 2).map {
    UInt8(digits[$0] * 16 + digits[$0 + 1])
  }
}
