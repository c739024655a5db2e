// SPDX-License-Identifier: MIT

/// The reason why a value could not be assigned to a field.
public enum FieldValueError: Error, Hashable, Sendable {
  case unknown
  /// Several fields have this name; their number is given.
  case ambiguous(Int)
  /// The field is derived: it states the size or number of other data, and changes only with that.
  case derived
  /// The value is invalid; a description of valid values is given.
  case expected(String)
  /// The structure cannot be written.
  case unwritable(SyntaxError)
}

/// Parsing of field values in the form shown by a listing.
enum FieldValue {
  /// Returns a number that fits into `bits` bits.
  static func number(_ text: String, bits: Int, as kind: FieldKind) throws(FieldValueError)
    -> UInt64
  {
    switch kind {
    case .flag:
      switch text {
      case "0", "false": return 0
      case "1", "true": return 1
      default: throw .expected("0 or 1")
      }
    case .fourCC:
      guard let code = FourCC(escapedText: text) else { throw .expected("four characters") }
      return code.fieldBits
    case .fixed(let fraction):
      return try fixed(text, bits: bits, fraction: fraction, signed: false)
    case .signedFixed(let fraction):
      return try fixed(text, bits: bits, fraction: fraction, signed: true)
    case .float(let width):
      guard let value = Double(text) else { throw .expected("a number") }
      return width == 32 ? UInt64(Float(value).bitPattern) : value.bitPattern
    case .language:
      if let code = Language(text: text) { return UInt64(code.code) }
      return try unsigned(text, bits: bits, or: "three small letters")
    case .date:
      if let date = Date1904(text: text), fits(date.seconds, bits) { return date.seconds }
      return try unsigned(text, bits: bits, or: "a time such as 2026-11-21T02:18:55Z")
    case .leb128:
      let value = try unsigned(text, bits: bits / 8 * 7)
      return LEB128.bits(of: value, in: bits / 8) ?? 0
    case .signed:
      let limit = Int64.max >> Int64(64 - bits)
      guard let value = integer(text, Int64.self), (-limit - 1...limit).contains(value) else {
        throw .expected("a whole number from \(-limit - 1) to \(limit)")
      }
      return UInt64(bitPattern: value) & mask(bits)
    default: return try unsigned(text, bits: bits)
    }
  }

  /// Returns the bytes for a field that had `count` bytes.
  static func bytes(_ text: String, as kind: FieldKind, replacing count: Int)
    throws(FieldValueError) -> [UInt8]
  {
    switch kind {
    case .text: return Array(text.utf8)
    case .countedText:
      let characters = Array(text.utf8)
      guard characters.count < min(max(count, 1), 256) else {
        throw .expected("at most \(max(count, 1) - 1) bytes of text")
      }
      let padding = max(0, count - 1 - characters.count)
      return [UInt8(characters.count)] + characters + [UInt8](repeating: 0, count: padding)
    default:
      var digits = text.hasPrefix("0x") ? String(text.dropFirst(2)) : text
      if kind == .uuid { digits.removeAll { $0 == "-" } }
      let nibbles = digits.unicodeScalars.map { UInt8(hexadecimal: String($0)) }
      guard nibbles.count % 2 == 0, !nibbles.contains(nil), kind != .uuid || nibbles.count == 32
      else {
        throw .expected(kind == .uuid ? "32 hexadecimal digits" : "pairs of hexadecimal digits")
      }
      let values = nibbles.map { $0 ?? 0 }
      return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }
  }

  private static func unsigned(_ text: String, bits: Int, or other: String? = nil)
    throws(FieldValueError) -> UInt64
  {
    guard let value = integer(text, UInt64.self), fits(value, bits) else {
      let range = "a whole number from 0 to \(mask(bits))"
      throw .expected(other.map { "\($0), or \(range)" } ?? range)
    }
    return value
  }

  private static func fixed(_ text: String, bits: Int, fraction: Int, signed: Bool)
    throws(FieldValueError) -> UInt64
  {
    let scale = Double(UInt64(1) << UInt64(fraction))
    let highest = signed ? mask(bits) >> 1 : mask(bits)
    let lowest = signed ? -Double(highest) - 1 : 0
    if text.hasPrefix("0x"), let raw = UInt64(hexadecimal: text.dropFirst(2)), fits(raw, bits) {
      return raw
    }
    guard let value = Double(text), (lowest...Double(highest)).contains((value * scale).rounded()),
      let number = Int64(exactly: (value * scale).rounded())
    else {
      throw .expected("a number from \(lowest / scale) to \(Double(highest) / scale)")
    }
    return UInt64(bitPattern: number) & mask(bits)
  }

  private static func integer<Number: FixedWidthInteger>(_ text: String, _: Number.Type) -> Number?
  {
    text.hasPrefix("0x") ? Number(hexadecimal: text.dropFirst(2)) : Number(text)
  }

  private static func fits(_ value: UInt64, _ bits: Int) -> Bool { value <= mask(bits) }

  private static func mask(_ bits: Int) -> UInt64 {
    bits <= 0 ? 0 : UInt64.max >> UInt64(64 - min(bits, 64))
  }
}

extension Language {
  /// Parses three lowercase letters.
  init?(text: String) {
    let letters = Array(text.utf8)
    guard letters.count == 3, letters.allSatisfy({ (0x61...0x7a).contains($0) }) else { return nil }
    self.init(code: letters.reduce(0) { $0 << 5 | UInt16($1 - 0x60) })
  }
}

extension Date1904 {
  /// Parses a time such as `2026-11-21T02:18:55Z`.
  init?(text: String) {
    let separators = Array("--T::Z".utf8)
    var parts: [UInt64] = [0]
    var next = 0
    for character in text.utf8 {
      if next < separators.count, character == separators[next] {
        next += 1
        if next < separators.count { parts.append(0) }
      } else if (0x30...0x39).contains(character), parts[parts.count - 1] < 10_000 {
        parts[parts.count - 1] = parts[parts.count - 1] * 10 + UInt64(character - 0x30)
      } else {
        return nil
      }
    }
    guard next == separators.count, parts[0] >= 1904, (1...12).contains(parts[1]),
      (1...31).contains(parts[2]), parts[3] < 24, parts[4] < 60, parts[5] < 60
    else { return nil }
    // Days since 1904-01-01, counting years from March so that the leap day is the last.
    let (year, month) = parts[1] > 2 ? (parts[0], parts[1] - 3) : (parts[0] - 1, parts[1] + 9)
    let days = Self.days(beforeYear: year) + (month * 153 + 2) / 5 + parts[2]
    let start = Self.days(beforeYear: 1903) + (10 * 153 + 2) / 5 + 1
    guard days >= start else { return nil }
    let minutes = ((days - start) * 24 + parts[3]) * 60 + parts[4]
    self.init(seconds: minutes * 60 + parts[5])
    // An invalid date, such as the 31st of April, is displayed as a different one.
    guard description == text || seconds == 0 else { return nil }
  }

  private static func days(beforeYear year: UInt64) -> UInt64 {
    let leapDays = year / 4 - year / 100 + year / 400
    return year * 365 + leapDays
  }
}
