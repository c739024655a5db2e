// SPDX-License-Identifier: MIT

public import ApusBytes

/// The facts about a photo that an editor keeps in an XMP file next to it.
public struct XMPSidecar: Hashable, Sendable {
  /// The title, caption, creator, copyright and keywords.
  public var texts = MetadataEdits.Texts()
  /// The rating, -1 to 5.
  public var rating: Int?
  /// The time at which the photo was taken.
  public var time: PhotoTime?
  /// The place where it was taken.
  public var position: ExifPosition?

  /// Reads a packet; throws if it is invalid.
  public init(_ packet: [UInt8]) throws(SyntaxError) {
    guard let reader = XMPReader(packet) else {
      throw SyntaxError(.invalid, field: "the sidecar", detail: "is not XMP")
    }
    let list = { (name: String) -> [String]? in
      let found = reader.list(XMPNamespace.dublinCore, name)
      return found.isEmpty ? reader.value(XMPNamespace.dublinCore, name).map { [$0] } : found
    }
    texts.title = list("title")?.first
    texts.caption = list("description")?.first
    texts.copyright = list("rights")?.first
    texts.creator = list("creator")?.joined(separator: ", ")
    texts.keywords = list("subject")
    rating = reader.number(XMPNamespace.xmp, "Rating").flatMap { Int(exactly: $0) }
    rating = rating.flatMap { (-1...5).contains($0) ? $0 : nil }
    let times = [
      (XMPNamespace.exif, "DateTimeOriginal"), (XMPNamespace.photoshop, "DateCreated"),
      (XMPNamespace.xmp, "CreateDate"),
    ]
    time = times.lazy.compactMap { reader.value($0, $1) }.compactMap { PhotoTime($0) }.first
    position = Self.position(reader)
  }

  private static func position(_ reader: XMPReader) -> ExifPosition? {
    func degrees(_ name: String) -> Double? {
      guard let text = reader.value(XMPNamespace.exif, name), let direction = text.last,
        "NSEW".contains(direction)
      else { return nil }
      // `48,51.504N`, or with seconds.
      let parts = text.dropLast().split(separator: ",").map { Double($0) }
      guard (1...3).contains(parts.count), !parts.contains(nil) else { return nil }
      let value = parts.reversed().reduce(0) { $0 / 60 + ($1 ?? 0) }
      return "SW".contains(direction) ? -value : value
    }
    guard let latitude = degrees("GPSLatitude"), let longitude = degrees("GPSLongitude") else {
      return nil
    }
    let height = reader.value(XMPNamespace.exif, "GPSAltitude")?.split(separator: "/")
      .compactMap { Double($0) }
    let altitude = height.flatMap { parts -> Double? in
      guard let first = parts.first, parts.count < 2 || parts[1] > 0 else { return nil }
      return parts.count > 1 ? first / parts[1] : first
    }
    let isBelow = reader.value(XMPNamespace.exif, "GPSAltitudeRef") == "1"
    return ExifPosition(
      latitude: latitude, longitude: longitude, altitude: altitude.map { isBelow ? -$0 : $0 })
  }

  /// Adds what a person has not set otherwise.
  public func add(to edits: inout MetadataEdits) {
    edits.texts.title = edits.texts.title ?? texts.title
    edits.texts.caption = edits.texts.caption ?? texts.caption
    edits.texts.creator = edits.texts.creator ?? texts.creator
    edits.texts.copyright = edits.texts.copyright ?? texts.copyright
    edits.texts.keywords = edits.texts.keywords ?? texts.keywords
    edits.rating = edits.rating ?? rating
    edits.time = edits.time ?? time.map { .set($0) }
    edits.position = edits.position ?? position
  }
}
