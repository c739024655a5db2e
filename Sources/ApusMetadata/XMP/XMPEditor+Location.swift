// SPDX-License-Identifier: MIT

internal import ApusBytes

extension XMPEditor {
  /// Removes coordinates and the names of places; returns the number of removed properties.
  ///
  /// Makers of drones and programs use private namespaces for coordinates, so properties are recognized by name.
  mutating func removeLocation() -> Int {
    removeProperties { name in
      if XMPNamespace.places.contains(name.namespace) { return true }
      let local = name.local.lowercased()
      if name.namespace == XMPNamespace.photoshop, local == "state" { return true }
      return Self.placeNames.contains(local)
        || ["gps", "location"].contains { local.hasPrefix($0) }
        || Self.placeWords.contains { local.holds($0) }
    }
  }

  private static let placeNames: Set = [
    "city", "country", "countrycode", "countryname", "provincestate", "sublocation", "worldregion",
    "lat", "lon", "long", "lng", "shotlocation", "cameralocation", "locality",
  ]
  private static let placeWords = [
    "latitude", "longitude", "longtitude", "altitude", "coordinates", "geotag", "geolocation",
  ]
}
