// SPDX-License-Identifier: MIT

internal import ApusBytes
package import HEVC

/// Numbers with their units, formatted for people.
package enum Quantity {
  package static func bytes(_ count: Int) -> String {
    scaled(Double(count), ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"])
  }

  package static func bitRate(_ rate: Double) -> String {
    scaled(rate, ["bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"])
  }

  package static func rate(_ rate: FrameRate) -> String {
    let text = rate.framesPerSecond.decimal(places: 0...3)
    return rate.denominator == 1 || rate.numerator > 1 << 20
      ? "\(text) fps" : "\(text) (\(rate)) fps"
  }

  /// Returns a time as text: `1:02:03.4`, `4.5 s`.
  package static func time(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 1e12 else { return "\(seconds) s" }
    if seconds < 60 { return seconds.decimal(places: 0...3) + " s" }
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
    let places = value < 10 ? 2 : value < 100 ? 1 : 0
    return "\(value.decimal(places: 0...places)) \(units[unit])"
  }
}
