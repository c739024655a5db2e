// SPDX-License-Identifier: MIT

/// File names as text.
///
/// The system's names are bytes of any kind, and a Swift `String` holds Unicode alone. A byte that is no part of
/// well-formed UTF-8 becomes one scalar of the last private plane: U+10FF00 plus the byte, so U+10FF80 to U+10FFFF. UTF-8
/// that spells such a scalar is itself taken byte by byte. Thus no two names become the same text, and every text that
/// was made from a name becomes exactly that name again; names in ordinary UTF-8 are what they look like.
public enum FileName {
  private static let base: UInt32 = 0x10FF00

  /// The text that stands for a name.
  public static func text(of name: some Sequence<UInt8>) -> String {
    let bytes = Array(name)
    // Nearly all names; the validation below is generic code that no process needs otherwise.
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    if !bytes.contains(0xF4), let text = String(validating: bytes, as: UTF8.self) { return text }
    var result = String.UnicodeScalarView()
    var rest = bytes[...]
    while let first = rest.first {
      if let scalar = scalar(at: rest), byte(of: scalar) == nil {
        result.append(scalar)
        rest = rest.dropFirst(UTF8.width(scalar))
      } else {
        // A byte below 0x80 is always well-formed, so that this is a scalar of the range.
        if let scalar = Unicode.Scalar(base + UInt32(first)) { result.append(scalar) }
        rest = rest.dropFirst()
      }
    }
    return String(result)
  }

  /// The name that a text stands for.
  public static func bytes(of text: some StringProtocol) -> [UInt8] {
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

  /// Whether a text is the name itself, in UTF-8, as it has to be where another library opens the file.
  public static func isPlain(_ text: String) -> Bool {
    !text.unicodeScalars.contains { byte(of: $0) != nil }
  }

  /// The byte that a scalar of a text stands for; `nil` for every scalar that stands for itself.
  public static func byte(of scalar: Unicode.Scalar) -> UInt8? {
    scalar.value >= base + 0x80 ? UInt8(truncatingIfNeeded: scalar.value) : nil
  }

  /// The scalar whose well-formed UTF-8 the bytes begin with: The Unicode Standard, table 3-7.
  private static func scalar(at bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
    var iterator = bytes.prefix(4).makeIterator()
    var decoder = UTF8()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
    return scalar
  }
}
