// SPDX-License-Identifier: MIT

/// A time on the command line: seconds with a fraction, hours, minutes and seconds with colons, or numbers with units
/// such as `1h30m`, `2s` and `500ms`.
struct MediaTime: ArgumentValue {
  let milliseconds: Int64

  init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Seconds, rounded up.
  var wholeSeconds: Int { Int(clamping: (milliseconds + 999) / 1000) }

  /// Nanoseconds, of an hour at most.
  var nanosecondsInHour: Int64 { min(milliseconds, 3_600_000) * 1_000_000 }

  init?(argument: String) {
    if let last = argument.last, last == "h" || last == "m" || last == "s" {
      self.init(units: argument)
    } else {
      self.init(clock: argument)
    }
  }

  /// Numbers with units, the longest unit first, each unit at most once.
  private init?(units argument: String) {
    var rest = argument[...]
    var total = 0.0
    for (unit, length) in [("h", 3_600_000.0), ("m", 60_000), ("s", 1000), ("ms", 1)] {
      let digits = rest.prefix { $0 == "." || $0.isASCII && $0.isNumber }
      let after = rest.dropFirst(digits.count)
      guard after.prefix(while: \.isLetter) == unit else { continue }
      guard let number = Double(digits), number < 1e9 else { return nil }
      total += number * length
      rest = after.dropFirst(unit.count)
    }
    guard rest.isEmpty, total < 1e12 else { return nil }
    milliseconds = Int64(total.rounded())
  }

  private init?(clock argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), let last = parts.last,
      let seconds = Double(last), seconds.isFinite, seconds >= 0, seconds < 1e9
    else { return nil }
    var whole: Int64 = 0
    for part in parts.dropLast() {
      guard let number = Int64(part), (0...100_000).contains(number) else { return nil }
      whole = whole * 60 + number
    }
    guard parts.count == 1 || seconds < 60 else { return nil }
    milliseconds = whole * 60_000 + Int64((seconds * 1000).rounded())
  }

  static var expected: String { "a time such as 12.5, 1m30s, 500ms or 1:02:03" }
  var argument: String {
    milliseconds % 1000 == 0 ? "\(milliseconds / 1000)" : "\(Double(milliseconds) / 1000)"
  }
}
