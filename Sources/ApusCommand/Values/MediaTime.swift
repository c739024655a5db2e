// SPDX-License-Identifier: MIT

/// A time on the command line: seconds with a fraction, or hours, minutes and seconds.
struct MediaTime: ArgumentValue {
  let milliseconds: Int64

  init(milliseconds: Int64) { self.milliseconds = milliseconds }

  init?(argument: String) {
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

  static var expected: String { "a time such as 12.5 or 1:02:03" }
  var argument: String { "\(Double(milliseconds) / 1000)" }
}
