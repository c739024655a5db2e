// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The local time at which a photo was taken, with its time zone if that is known.
public struct PhotoTime: Hashable, Sendable {
  /// The seconds of the local time since the start of 1904.
  private var local: Date1904
  /// The digits of a fraction of a second; empty if there is none.
  public var fraction = ""
  /// The time zone as `+02:00`; `nil` if it is unknown.
  public var zone: String?

  /// Reads a time such as `2024-01-31T12:00:00+01:00`, `2024-01-31 12:00:00.25` or `2024-01-31`, also with the colons of
  /// Exif between the parts of the date. `nil` for anything else, and for years before 1904.
  public init?(_ text: String) {
    var text = text.split(separator: "T", maxSplits: 1).joined(separator: " ")
    if text.count == 10 { text += " 00:00:00" }
    guard text.count >= 19 else { return nil }
    let date = text.prefix(10).split(separator: ":").joined(separator: "-")
    var rest = text.dropFirst(19)
    guard let local = Date1904(iso8601: "\(date)T\(text.dropFirst(11).prefix(8))"),
      local.description.hasPrefix(date)
    else { return nil }
    self.local = local
    if rest.first == "." {
      fraction = String(rest.dropFirst().prefix { $0.isASCII && $0.isNumber })
      guard !fraction.isEmpty else { return nil }
      rest = rest.dropFirst(fraction.count + 1)
    }
    guard !rest.isEmpty else { return }
    // QuickTime's form has no colon in it.
    if rest.count == 5 { rest.insert(":", at: rest.index(rest.startIndex, offsetBy: 3)) }
    guard let zone = Self.zone(String(rest)) else { return nil }
    self.zone = zone
  }

  /// Returns a time zone as Exif writes it, of a text such as `+02:00` or `Z`; `nil` for anything else.
  public static func zone(_ text: String) -> String? {
    guard text != "Z" else { return "+00:00" }
    guard text.count == 6, text.dropFirst(3).first == ":",
      Date1904(iso8601: "2000-01-01T00:00:00\(text)") != nil
    else { return nil }
    return text
  }

  /// The local time as Exif writes it: `2024:01:31 12:00:00`.
  var exif: String {
    let (date, time) = (local.description.prefix(10), local.description.dropFirst(11).prefix(8))
    return date.split(separator: "-").joined(separator: ":") + " " + time
  }

  /// The time as XMP writes it: `2024-01-31T12:00:00.25+01:00`.
  public var iso8601: String {
    local.description.prefix(19) + (fraction.isEmpty ? "" : "." + fraction) + (zone ?? "")
  }

  /// The time in seconds since 1904, UTC; `nil` if its time zone is unknown.
  public var utc: UInt64? {
    zone.flatMap { Date1904(iso8601: "\(local.description.prefix(19))\($0)")?.seconds }
  }

  /// The time later by some seconds, or earlier; `nil` if it is before 1904.
  public func later(by seconds: Int) -> PhotoTime? {
    guard Int64(local.seconds) + Int64(seconds) >= 0 else { return nil }
    var time = self
    time.local = Date1904(seconds: UInt64(Int64(local.seconds) + Int64(seconds)))
    return time
  }
}
