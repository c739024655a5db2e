// SPDX-License-Identifier: MIT

/// The values of placeholders in a name template that do not follow from the name of the photo.
public struct NameFields: Hashable, Sendable, Codable {
  /// The value of `{date}`; empty if `nil`.
  public var date: CalendarTime?
  /// The value of `{camera}`.
  public var camera: String?
  /// The value of `{n}`: the position of the photo in its run, from 1.
  public var number = 0

  public init() {}
}

/// A local time as shown by a calendar and a clock, in an unspecified time zone.
public struct CalendarTime: Hashable, Sendable, Codable {
  /// The year, 1 to 9999.
  public let year: Int
  /// The month, 1 to 12.
  public let month: Int
  /// The day of the month, 1 to 31.
  public let day: Int
  /// The hour, 0 to 23.
  public let hour: Int
  /// The minute, 0 to 59.
  public let minute: Int
  /// The second, 0 to 60 because of leap seconds.
  public let second: Int

  /// Creates a time from its components; `nil` if they are not a valid date.
  public init?(_ parts: [Int]) {
    guard parts.count == 6, (1...9999).contains(parts[0]), (1...12).contains(parts[1]),
      (1...31).contains(parts[2]), (0...23).contains(parts[3]), (0...59).contains(parts[4]),
      (0...60).contains(parts[5])
    else { return nil }
    (year, month, day) = (parts[0], parts[1], parts[2])
    (hour, minute, second) = (parts[3], parts[4], parts[5])
  }

  /// Reads a time such as `2024:01:31 12:00:00`: Exif 2.32, 4.6.5.
  public init?(exif text: String) {
    let parts = text.split { $0 == ":" || $0 == " " }.map { Int($0) }
    guard !parts.contains(nil) else { return nil }
    self.init(parts.compactMap(\.self))
  }

  /// The six components from the year to the second, as `init(_:)` expects them.
  public var parts: [Int] { [year, month, day, hour, minute, second] }

  /// Returns whether every percent sign in a pattern is followed by a known letter.
  static func isPattern(_ pattern: Substring) -> Bool {
    var rest = pattern
    while let character = rest.popFirst() {
      if character == "%", !(rest.popFirst().map { "YymdHMS%".contains($0) } ?? false) {
        return false
      }
    }
    return !pattern.isEmpty
  }

  /// Returns the time formatted with a pattern such as `%Y-%m`.
  func text(_ pattern: String) -> String {
    var text = ""
    var rest = pattern[...]
    while let character = rest.popFirst() {
      guard character == "%", let letter = rest.popFirst() else {
        text.append(character)
        continue
      }
      switch letter {
      case "Y": text += Self.padded(year, 4)
      case "y": text += Self.padded(year % 100, 2)
      case "m": text += Self.padded(month, 2)
      case "d": text += Self.padded(day, 2)
      case "H": text += Self.padded(hour, 2)
      case "M": text += Self.padded(minute, 2)
      case "S": text += Self.padded(second, 2)
      default: text.append(letter)
      }
    }
    return text
  }

  static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(width - digits.count, 0)) + digits
  }
}
