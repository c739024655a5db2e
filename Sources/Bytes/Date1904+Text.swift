// SPDX-License-Identifier: MIT

extension Date1904 {
  /// Creates the moment of a text such as `2026-11-21T02:18:55Z`; a fraction is dropped, and UTC is meant where no zone
  /// is given. `nil` for anything else, and for years before 1904.
  public init?(iso8601 text: String) {
    var bytes = Array(text.utf8)
    if bytes.last == UInt8(ascii: "Z") { bytes.removeLast() }
    if let point = bytes.firstIndex(of: UInt8(ascii: ".")) { bytes.removeSubrange(point...) }
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
    self.init(
      seconds: UInt64((days - epoch) * 86400 + numbers[3] * 3600 + numbers[4] * 60 + numbers[5]))
  }
}
