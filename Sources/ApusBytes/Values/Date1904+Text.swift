// SPDX-License-Identifier: MIT

extension Date1904 {
  /// Parses a text such as `2026-11-21T02:18:55Z` or `2026-11-21T03:18:55.5+01:00`; a fraction is dropped, and the
  /// default zone is UTC. `nil` for anything else, and for years before 1904.
  public init?(iso8601 text: String) {
    let bytes = Array(text.utf8.prefix(19))
    guard let offset = Self.zone(Array(text.utf8.dropFirst(19))) else { return nil }
    guard bytes.count == 19, bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " "),
      bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), bytes[13] == UInt8(ascii: ":"),
      bytes[16] == UInt8(ascii: ":")
    else { return nil }
    var numbers: [Int] = []
    for range in [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19] {
      guard let number = Int(String(decoding: bytes[range], as: UTF8.self)), number >= 0 else {
        return nil
      }
      numbers.append(number)
    }
    let (year, month, day) = (numbers[0], numbers[1], numbers[2])
    guard year >= 1904, (1...12).contains(month), (1...31).contains(day), numbers[3] < 24,
      numbers[4] < 60, numbers[5] < 61
    else { return nil }
    // Days since March of year 0: the leap day is the last of its year.
    let years = month > 2 ? year : year - 1
    let days =
      365 * years + years / 4 - years / 100 + years / 400 + ((month + 9) % 12 * 153 + 2) / 5 + day
    let epoch = 365 * 1903 + 1903 / 4 - 1903 / 100 + 1903 / 400 + (10 * 153 + 2) / 5 + 1
    let seconds =
      (days - epoch) * 86400 + numbers[3] * 3600 + numbers[4] * 60 + numbers[5] - offset
    guard seconds >= 0 else { return nil }
    self.init(seconds: UInt64(seconds))
  }

  /// Returns the seconds by which the time zone at the end of a text is ahead of UTC; a fraction may precede it.
  private static func zone(_ text: [UInt8]) -> Int? {
    let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    var rest = text[...]
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix(while: isDigit)
      guard !digits.isEmpty else { return nil }
      rest = rest[digits.endIndex...]
    }
    if rest.isEmpty || rest.elementsEqual([UInt8(ascii: "Z")]) { return 0 }
    guard let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
      return nil
    }
    var digits = Array(rest.dropFirst())
    if digits.count == 5, digits[2] == UInt8(ascii: ":") { digits.remove(at: 2) }
    guard digits.count == 4, digits.allSatisfy(isDigit),
      let number = Int(String(decoding: digits, as: UTF8.self)), number % 100 < 60, number < 2400
    else { return nil }
    let seconds = number / 100 * 3600 + number % 100 * 60
    return sign == UInt8(ascii: "-") ? -seconds : seconds
  }
}
