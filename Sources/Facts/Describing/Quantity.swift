// SPDX-License-Identifier: MIT

package import HEVC

/// Numbers with their units, formatted for people.
package enum Quantity {
  /// Returns a number with at most `places` digits after the point, and no zeros at the end.
  package static func number(_ value: Double, places: Int = 2) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
    let unit = (0..<places).reduce(1.0) { unit, _ in unit * 10 }
    let scaled = Int64((abs(value) * unit).rounded())
    let (whole, part) = scaled.quotientAndRemainder(dividingBy: Int64(unit))
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard part > 0 else { return "\(sign)\(whole)" }
    var digits = String(part)
    digits = String(repeating: "0", count: places - digits.count) + digits
    while digits.last == "0" { digits.removeLast() }
    return "\(sign)\(whole).\(digits)"
  }

  package static func bytes(_ count: Int) -> String {
    scaled(Double(count), ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"])
  }

  package static func bitRate(_ rate: Double) -> String {
    scaled(rate, ["bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"])
  }

  package static func rate(_ rate: FrameRate) -> String {
    let text = number(rate.framesPerSecond, places: 3)
    return rate.denominator == 1 || rate.numerator > 1 << 20
      ? "\(text) fps" : "\(text) (\(rate)) fps"
  }

  /// Returns a time as text: `1:02:03.4`, `4.5 s`.
  package static func time(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 1e12 else { return "\(seconds) s" }
    if seconds < 60 { return number(seconds, places: 3) + " s" }
    let tenths = Int64((seconds * 10).rounded())
    let (hours, minutes) = (tenths / 36_000, tenths / 600 % 60)
    let rest = tenths % 600
    let clock = "\(twoDigits(rest / 10)).\(rest % 10)"
    return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(clock)" : "\(minutes):\(clock)"
  }

  private static func twoDigits(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }

  private static func scaled(_ value: Double, _ units: [String]) -> String {
    var value = value
    var unit = 0
    while value >= 1000, unit + 1 < units.count {
      value /= 1000
      unit += 1
    }
    return "\(number(value, places: value < 10 ? 2 : value < 100 ? 1 : 0)) \(units[unit])"
  }
}
