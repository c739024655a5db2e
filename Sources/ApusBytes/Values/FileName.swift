// SPDX-License-Identifier: MIT

/// Conversion of file names to and from text.
///
/// The system's names are arbitrary bytes, but a Swift `String` contains only Unicode. A byte that is not part of
/// well-formed UTF-8 becomes one scalar of the last private plane: U+10FF00 plus the byte, so U+10FF80 to U+10FFFF.
/// UTF-8 of such a scalar is itself converted byte by byte. Thus no two names become the same text, and every text made
/// from a name is converted back to exactly that name; names in ordinary UTF-8 are unchanged.
package enum FileName {
  private static let base: UInt32 = 0x10FF00

  /// Returns the text for a name.
  package static func text(of name: some Sequence<UInt8>) -> String {
    let bytes = Array(name)
    // Nearly all names; this avoids the generic validation below, which no process needs otherwise.
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    if !bytes.contains(0xF4), let text = String(validating: bytes, as: UTF8.self) { return text }
    var result = String.UnicodeScalarView()
    var rest = bytes[...]
    while let first = rest.first {
      if let scalar = scalar(at: rest), byte(of: scalar) == nil {
        result.append(scalar)
        rest = rest.dropFirst(UTF8.width(scalar))
      } else {
        // A byte below 0x80 is always well-formed, so this is a scalar in the range.
        if let scalar = Unicode.Scalar(base + UInt32(first)) { result.append(scalar) }
        rest = rest.dropFirst()
      }
    }
    return String(result)
  }

  /// Returns the name for a text.
  package static func bytes(of text: some StringProtocol) -> [UInt8] {
    let bytes = Array(text.utf8)
    guard bytes.contains(0xF4) else { return bytes }
    return text.unicodeScalars.reduce(into: []) { result, scalar in
      if let byte = byte(of: scalar) {
        result.append(byte)
      } else {
        result += UTF8.encode(scalar).map { Array($0) } ?? []
      }
    }
  }

  /// Returns whether a text is the name itself in UTF-8, which is necessary if another library opens the file.
  package static func isPlain(_ text: String) -> Bool {
    !text.unicodeScalars.contains { byte(of: $0) != nil }
  }

  /// Returns the byte that a scalar represents; `nil` for ordinary scalars.
  package static func byte(of scalar: Unicode.Scalar) -> UInt8? {
    scalar.value >= base + 0x80 ? UInt8(truncatingIfNeeded: scalar.value) : nil
  }

  /// Returns the scalar whose well-formed UTF-8 is at the start of the bytes: The Unicode Standard, table 3-7.
  private static func scalar(at bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
    var iterator = bytes.prefix(4).makeIterator()
    var decoder = UTF8()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
    return scalar
  }
}
