// SPDX-License-Identifier: MIT

extension Double {
  /// All digits of the number, without `.0` after a whole one.
  package var shortest: String {
    let text = description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Returns the number rounded to a number of digits after the point within `places`, of which zeros at the end are
  /// left out.
  package func decimal(places: ClosedRange<Int> = 0...2) -> String {
    guard magnitude < 1e15 else { return self == .infinity ? "∞" : "\(self)" }
    let unit = (0..<places.upperBound).reduce(1.0) { unit, _ in unit * 10 }
    let scaled = Int64((magnitude * unit).rounded())
    let (whole, part) = scaled.quotientAndRemainder(dividingBy: Int64(unit))
    var digits = places.upperBound > 0 ? String(String(Int64(unit) + part).dropFirst()) : ""
    while digits.count > places.lowerBound, digits.last == "0" { digits.removeLast() }
    return (self < 0 && scaled > 0 ? "-" : "") + "\(whole)" + (digits.isEmpty ? "" : "." + digits)
  }
}
