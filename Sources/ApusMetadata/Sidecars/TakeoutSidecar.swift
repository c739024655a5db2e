// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusJSON

/// The facts about a photo that an export of Google Photos (Takeout) keeps in a file next to it.
public struct TakeoutSidecar: Hashable, Sendable {
  /// The description that a person has written, the time in UTC, and the place.
  public var facts = MetadataEdits.Fallback()

  /// Reads a file; throws if it is not about a photo.
  public init(_ bytes: [UInt8]) throws(SyntaxError) {
    let value: JSONValue
    do throws(JSONError) { value = try JSONReader.value(of: bytes) } catch {
      throw SyntaxError(
        .invalid, field: "the sidecar", offset: error.offset, detail: "is no JSON: \(error.message)"
      )
    }
    guard let taken = value["photoTakenTime"] else {
      throw SyntaxError(
        .invalid, field: "the sidecar", detail: "is not about a photo: it has no photoTakenTime")
    }
    let text = value["description"]?.text ?? ""
    facts.caption = text.isEmpty ? nil : text
    let unix = taken["timestamp"].flatMap { $0.integer ?? $0.text.flatMap { Int($0) } } ?? 0
    if unix != 0, Self.times.contains(unix) {
      facts.time = PhotoTime(Date1904(seconds: UInt64(unix + Self.from1904)).description)
    }
    facts.position = Self.position(value["geoData"]) ?? Self.position(value["geoDataExif"])
  }

  /// The seconds from 1904 to 1970.
  private static let from1904 = 2_082_844_800
  /// The times from 1904 on that a calendar has, in seconds since 1970.
  private static let times = -from1904...(1 << 37)

  /// Reads a place; zeros mean that it is unknown.
  private static func position(_ value: JSONValue?) -> ExifPosition? {
    guard let latitude = value?["latitude"]?.double, let longitude = value?["longitude"]?.double,
      latitude != 0 || longitude != 0
    else { return nil }
    let altitude = value?["altitude"]?.double
    return ExifPosition(
      latitude: latitude, longitude: longitude, altitude: altitude == 0 ? nil : altitude)
  }

}

extension TakeoutSidecar {
  private static let suffix = ".supplemental-metadata"
  private static let ending = ".json"
  /// The length to which Takeout cuts a name without its ending.
  private static let longestStem = 46

  /// Returns the name of the file about a photo among the names in its folder.
  ///
  /// A name of several photos has a number, `IMG_1(2).JPG` and `IMG_1.JPG(2).json`; a long name is cut; and what a photo
  /// was edited to shares the file with the original.
  public static func name(for photo: String, in names: Set<String>) -> String? {
    for own in [photo, original(of: photo)].compactMap(\.self) {
      let (name, number) = numbered(own)
      let full = name + suffix
      let shortest = min(name.count, max(longestStem - number.count, 1))
      for count in shortest...full.count {
        let candidate = full.prefix(count) + number + ending
        if names.contains(String(candidate)) { return String(candidate) }
      }
    }
    return nil
  }

  /// Splits `IMG_1(2).JPG` into `IMG_1.JPG` and `(2)`.
  private static func numbered(_ name: String) -> (String, String) {
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    let stem = name[..<dot]
    guard stem.last == ")", let open = stem.lastIndex(of: "("),
      !stem[open...].dropFirst().dropLast().isEmpty,
      stem[open...].dropFirst().dropLast().allSatisfy(\.isNumber)
    else { return (name, "") }
    return (String(stem[..<open] + name[dot...]), String(stem[open...]))
  }

  private static func original(of name: String) -> String? {
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    let mark = "-edited"
    guard name[..<dot].hasSuffix(mark) else { return nil }
    return String(name[..<dot].dropLast(mark.count) + name[dot...])
  }
}
