// SPDX-License-Identifier: MIT

internal import ApusBytes

extension ExifPosition {
  /// Reads the position; `nil` if the directory is missing, or does not contain a place on Earth.
  init?(_ tree: TIFFTree, _ bytes: [UInt8]) {
    guard let place = tree.index(of: .gps) else { return nil }
    let directory = tree.places[place].directory
    func entry(_ tag: UInt16) -> TIFFEntry? { directory.entries.first { $0.tag == tag } }
    func degrees(_ tag: UInt16, _ negative: String, upTo limit: Double) -> Double? {
      guard let parts = entry(tag).map({ tree.rationals(of: $0, in: bytes) }), parts.count == 3,
        let name = tree.text(tag - 1, of: directory, in: bytes)
      else { return nil }
      let value = parts[0] + parts[1] / 60 + parts[2] / 3600
      guard value <= limit else { return nil }
      return name.uppercased() == negative ? -value : value
    }
    guard let latitude = degrees(ExifTag.gpsLatitude, "S", upTo: 90),
      let longitude = degrees(ExifTag.gpsLongitude, "W", upTo: 180)
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    if let height = entry(ExifTag.gpsAltitude).flatMap({ tree.rationals(of: $0, in: bytes).first })
    {
      altitude = entry(ExifTag.gpsAltitude - 1)?.integer == 1 ? -height : height
    }
  }
}

extension TIFFTree {
  /// Returns the unsigned fractions of an entry; empty if one of them has no value.
  fileprivate func rationals(of entry: TIFFEntry, in bytes: [UInt8]) -> [Double] {
    guard entry.type == 5, entry.count <= 3, let range = outside(entry),
      range.count == 8 * Int(entry.count)
    else { return [] }
    var values: [Double] = []
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
      let parts = [start, start + 4].map { order.number(bytes[$0..<$0 + 4]) }
      guard parts[1] > 0 else { return [] }
      values.append(Double(parts[0]) / Double(parts[1]))
    }
    return values
  }
}
