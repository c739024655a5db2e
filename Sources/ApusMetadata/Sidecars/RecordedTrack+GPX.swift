// SPDX-License-Identifier: MIT

public import ApusBytes

/// GPX 1.1: the points `trkpt` that have a time.
extension RecordedTrack {
  /// Reads a file; throws if it is no track with times.
  public init(gpx bytes: [UInt8]) throws(SyntaxError) {
    let document: XMLDocument
    do throws(XMLError) { document = try XMLDocument(bytes) } catch {
      throw SyntaxError(.invalid, field: "GPX", offset: error.offset, detail: error.detail)
    }
    let points = document.elements.indices.filter {
      document.elements[$0].name.local == "trkpt"
    }.compactMap { Self.point($0, document) }
    guard !points.isEmpty else {
      throw SyntaxError(.invalid, field: "GPX", detail: "has no point of a track with a time")
    }
    self.init(points)
  }

  private static func point(_ index: Int, _ document: XMLDocument) -> Point? {
    func attribute(_ name: String) -> Double? {
      let found = document.elements[index].attributes.first { $0.name.local == name }
      return found.flatMap { Double(document.text($0.value)) }
    }
    func child(_ name: String) -> String? {
      let found = document.children(of: index).first { document.elements[$0].name.local == name }
      return found.flatMap { document.elements[$0].content }.map(document.text)
    }
    guard let latitude = attribute("lat"), let longitude = attribute("lon"),
      let time = child("time").flatMap({ PhotoTime($0) })?.utc,
      let position = ExifPosition(
        latitude: latitude, longitude: longitude, altitude: child("ele").flatMap { Double($0) })
    else { return nil }
    return Point(time: time, position: position)
  }
}
