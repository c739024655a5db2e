// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusMetadata
internal import ApusSamples
internal import ISOBMFF

/// The origin of a recording: its software, time, and camera.
public struct OriginFacts: Hashable, Sendable {
  /// The program that wrote the file: `Lavf61.7.100`.
  public var writer: String?
  /// The manufacturer of the camera.
  public var make: String?
  /// The model of the camera.
  public var model: String?
  /// The software of the camera.
  public var software: String?
  /// The time of recording as stored in the file: `2026-11-21T02:18:55Z`, with a zone if the camera knew it.
  public var created: String?
  /// The place in the form of ISO 6709: `+52.5200+013.4050/`.
  public var place: String?

  init() {}

  init(_ movie: LocatedNode) {
    let values = KeyedMetadata(movie).values
    let apple = "com.apple.quicktime."
    let user = movie.child("udta")
    let text = { (type: UInt32) -> String? in Self.text(of: FourCC(type), in: user) }
    make = values[apple + "make"] ?? values["com.android.manufacturer"] ?? text(0xa96d_616b)
    model = values[apple + "model"] ?? values["com.android.model"] ?? text(0xa96d_6f64)
    software = values[apple + "software"] ?? text(0xa973_7772)
    place = values[apple + "location.ISO6709"] ?? text(0xa978_797a)
    place = place ?? user?.box(at: "loci", as: LocationInformation.self)?.place
    writer = text(0xa974_6f6f)
    // FFmpeg's own names, where it writes keys of any name.
    make = make ?? values["make"]
    model = model ?? values["model"]
    place = place ?? values["location"]
    writer = writer ?? values["encoder"]
    created = values[apple + "creationdate"]
    let date = movie.box(at: "mvhd", as: MovieHeader.self)?.creationTime ?? 0
    if created == nil, date > 0 { created = Date1904(seconds: date).description }
  }

  /// Returns the text of an item of `ilst`, or of a text box next to it.
  private static func text(of type: FourCC, in user: LocatedNode?) -> String? {
    if let item = user?.child("meta", "ilst")?.child(type),
      case .text(let bytes) = item.box(at: "data", as: MetadataValue.self)?.value
    {
      return String(decoding: bytes, as: UTF8.self)
    }
    guard let box = user?.box(at: type, as: UserDataText.self),
      let bytes = box.plain ?? box.strings.first?.text, !bytes.isEmpty
    else { return nil }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  init(_ details: MediaDetails) {
    let tags = Dictionary(
      details.tags.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first }
    )
    writer = tags["encoder"]
    make = tags["make"]
    model = tags["model"]
    place = tags["location"]
    created =
      details.creationTime.map { Date1904(seconds: $0).description } ?? tags["creation_time"]
  }
}

extension OriginFacts {
  /// Adds facts from Exif that the movie of the same file does not contain.
  mutating func add(exif: [UInt8]?) {
    guard let facts = exif.flatMap(ExifFacts.init) else { return }
    make = make ?? facts.make
    model = model ?? facts.model
    software = software ?? facts.software
    created = created ?? Self.time(facts)
    place = place ?? facts.position.map { $0.iso6709(places: 4...4) }
  }

  /// Returns the time of Exif in the form of ISO 8601; `nil` if it is blank or invalid.
  private static func time(_ facts: ExifFacts) -> String? {
    guard let taken = facts.taken, taken.utf8.count == 19 else { return nil }
    let parts = taken.split { $0 == ":" || $0 == " " }
    guard parts.map(\.utf8.count) == [4, 2, 2, 2, 2, 2], parts.allSatisfy({ UInt($0) != nil }),
      parts[1] != "00", parts[2] != "00"
    else { return nil }
    return "\(parts[0])-\(parts[1])-\(parts[2])T\(parts[3]):\(parts[4]):\(parts[5])"
      + (facts.offset ?? "")
  }
}

extension OriginFacts: Described {
  package static let title = "origin"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == OriginFacts {
    v.optional("writer", "The program that wrote the file.") { $0.writer }
    v.optional("camera_make", "The make of the camera.") { $0.make }
    v.optional("camera_model", "The model of the camera.") { $0.model }
    v.optional("camera_software", "The software of the camera.") { $0.software }
    v.optional("created", "The time of recording or writing.") { $0.created }
    v.optional("location", "The location of recording, in ISO 6709.") { $0.place }
  }
}

extension LocationInformation {
  fileprivate var place: String? {
    let degrees = [latitude, longitude, altitude].map { Double($0) / 65536 }
    return ExifPosition(latitude: degrees[0], longitude: degrees[1], altitude: degrees[2])?
      .iso6709(places: 4...4)
  }
}

/// A named stretch of a recording.
public struct ChapterFacts: Hashable, Sendable {
  /// The time at which it starts, in seconds.
  public var start: Double
  /// The title; empty if it has none.
  public var title: String
}

extension ChapterFacts: Described {
  package static var title: String { "chapter" }

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == ChapterFacts {
    v.required("start", "The start in seconds.") { $0.start }
    v.required("title", "The title.") { $0.title }
  }
}

extension ChapterFacts {
  /// Returns the chapters of a movie in the additional list for players that do not support chapter tracks.
  static func all(of movie: LocatedNode) -> [ChapterFacts] {
    let list = movie.box(at: "udta", "chpl", as: ChapterList.self)?.chapters ?? []
    return list.map {
      // Units of 100 ns.
      ChapterFacts(
        start: Double($0.startTime) / 10_000_000, title: String(decoding: $0.title, as: UTF8.self))
    }
  }

  static func all(of details: MediaDetails) -> [ChapterFacts] {
    details.chapters.map {
      ChapterFacts(
        start: Double($0.start.value) / Double(max($0.start.timescale, 1)), title: $0.title)
    }
  }
}
