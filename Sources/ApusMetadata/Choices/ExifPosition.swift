// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A place on Earth, from the GPS directory of Exif: Exif 2.32, 4.6.6.
public struct ExifPosition: Hashable, Sendable {
  /// The latitude in degrees north of the equator.
  public var latitude: Double
  /// The longitude in degrees east of Greenwich.
  public var longitude: Double
  /// The altitude in metres above sea level.
  public var altitude: Double?

  /// Creates a position; `nil` if it is not on Earth.
  public init?(latitude: Double, longitude: Double, altitude: Double? = nil) {
    guard abs(latitude) <= 90, abs(longitude) <= 180, abs(altitude ?? 0) < 1e7 else { return nil }
    (self.latitude, self.longitude, self.altitude) = (latitude, longitude, altitude)
  }
}

extension ExifPosition {
  /// Returns the place in the form of ISO 6709: `+52.5200+013.4050/`, with the altitude in metres unless it is 0.
  ///
  /// - Parameter places: the numbers of digits after the point.
  public func iso6709(places: ClosedRange<Int> = 4...8) -> String {
    let height = altitude.flatMap { $0 == 0 ? nil : $0 }
    return [(latitude, 2), (longitude, 3), (height ?? 0, 1)].prefix(height == nil ? 2 : 3).map {
      value, digits in
      let text = value.magnitude.decimal(places: places)
      let whole = text.prefix { $0 != "." }.count
      let padding = String(repeating: "0", count: max(digits - whole, 0))
      return (value < 0 ? "-" : "+") + padding + text
    }.joined() + "/"
  }
}
