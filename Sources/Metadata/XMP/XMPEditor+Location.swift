// SPDX-License-Identifier: MIT

extension XMPEditor {
  /// Takes out coordinates and the names of places.
  mutating func removeLocation() -> Int {
    removeProperties { name in
      switch name.namespace {
      case XMPNamespace.exif, XMPNamespace.pix4D: name.local.hasPrefix("GPS")
      case XMPNamespace.photoshop: ["City", "State", "Country"].contains(name.local)
      case XMPNamespace.iptcCore: ["Location", "CountryCode"].contains(name.local)
      case XMPNamespace.iptcExtension: name.local.hasPrefix("Location")
      case XMPNamespace.djiDrone:
        name.local.lowercased().hasPrefix("gps") || name.local.hasSuffix("Altitude")
      case XMPNamespace.wgs84: true
      default: false
      }
    }
  }
}
