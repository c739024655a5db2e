// SPDX-License-Identifier: MIT

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
