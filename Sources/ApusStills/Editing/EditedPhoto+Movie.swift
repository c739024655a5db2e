// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusMetadata
internal import HEIF
internal import ISOBMFF

/// Movies, of which the time, the place and titles change.
extension EditedPhoto {
  static func movie(_ file: PhotoFile, _ edits: PhotoEdits) throws -> EditedPhoto {
    var known = PhotoEdits()
    (known.metadata.time, known.metadata.position) = (edits.metadata.time, edits.metadata.position)
    (known.metadata.track, known.metadata.fallback) =
      (edits.metadata.track, edits.metadata.fallback)
    // A movie's time is in UTC, so only a new one has a time zone.
    if known != PhotoEdits() { known.metadata.zone = edits.metadata.zone }
    known.metadata.texts = edits.metadata.texts
    known.metadata.texts.keywords = nil
    known.removals = edits.removals.intersection([.c2pa])
    known.metadata.strip = edits.metadata.strip.intersection([.gps])
    guard edits == known else {
      throw MediaError(
        .unsupported, of: .input,
        "is a movie, of which only date, gps, title, caption, creator and copyright are changed"
      )
    }
    var changes: [String] = []
    var warnings: [String] = []
    var editor = BoxEditor(file.tree, of: file.tree.source)
    let locations = LocationBoxes(file.tree, xmp: withoutLocation)
    let metadata = try complete(edits.metadata, file, locations)
    if let position = metadata.position {
      changes.append("place changed")
      try editor.setPlace(position.iso6709())
      try editor.removePackets(of: locations)
    } else if metadata.strip.contains(.gps) {
      try locations.check()
      try editor.remove(locations)
      changes += locations.boxes.map { "\($0.path) removed" }
      changes += locations.packets.map { "\($0.box.path) changed" }
    }
    if let time = metadata.zonedTime {
      changes.append("time changed")
      warnings += try change(time, &editor)
    }
    let texts = metadata.texts.ofMovie
    for text in texts {
      changes.append("\(text.name) " + (text.value.isEmpty ? "removed" : "changed"))
    }
    if !texts.isEmpty { try editor.change(texts) }
    let sidecars = file.tree.packets.compactMap { $0.box(XMPPacket.self)?.packet }
      .compactMap { try? XMPSidecar($0) }
    if metadata.time != nil, sidecars.contains(where: { $0.time != nil }) {
      warnings.append("its XMP keeps the date that it has")
    }
    if !texts.isEmpty, sidecars.contains(where: { $0.texts != MetadataEdits.Texts() }) {
      warnings.append("its XMP keeps the texts that it has")
    }
    for located in file.tree.contentCredentials where edits.removals.contains(.c2pa) {
      changes.append("\(located.path) removed")
      try editor.remove(located)
    }
    let edited = try editor.finished()
    return EditedPhoto(edited, edited.splices == [] ? [] : changes, warnings)
      .warning(of: file.tree.contentCredentials.isEmpty, edits)
  }

  /// Returns changes with what the movie lacks, and with its place on a track.
  private static func complete(
    _ edits: MetadataEdits, _ file: PhotoFile, _ locations: LocationBoxes
  ) throws -> MetadataEdits {
    var edits = edits
    let movie = file.tree.located.first { $0.node.type == "moov" }
    let time = movie?.box(at: "mvhd", as: MovieHeader.self)?.creationTime ?? 0
    if time == 0 { edits.time = edits.time ?? edits.fallback.time.map { .set($0) } }
    if locations.isEmpty { edits.position = edits.position ?? edits.fallback.position }
    var tags: [MovieTags.Tag] = []
    for box in movie?.children ?? [] { try MovieTags.add(box, to: &tags) }
    if !tags.contains(where: { $0.name == "description" }) {
      edits.texts.caption = edits.texts.caption ?? edits.fallback.caption
    }
    guard let track = edits.track else { return edits }
    let changed: UInt64? =
      switch edits.zonedTime {
      case nil: time
      case .set(let new): new.utc
      case .shift(let seconds): later(time, by: seconds)
      }
    guard let position = track.position(at: changed ?? 0) else {
      throw MediaError(
        .unsupported, of: .input,
        "is a movie from \(Date1904(seconds: changed ?? 0)), for which the track has no place")
    }
    edits.position = position
    return edits
  }

  /// Changes the time, and returns warnings about texts of another form, which stay.
  private static func change(_ time: MetadataEdits.TimeChange, _ editor: inout BoxEditor) throws
    -> [String]
  {
    var warnings: [String] = []
    switch time {
    case .set(let time):
      guard let seconds = time.utc else {
        throw MediaError(
          .misuse, of: .input,
          "is a movie, whose time is in UTC, so a date needs its time zone: 2024-01-31T12:00:00+01:00"
        )
      }
      try editor.changeTimes({ _ in seconds }, text: { old in text(time, like: old) })
    case .shift(let seconds):
      try editor.changeTimes {
        // A time that is unknown stays so.
        $0 == 0 ? 0 : later($0, by: seconds)
      } text: { old in
        guard let new = PhotoTime(old)?.later(by: seconds) else {
          warnings.append("the date \"\(old)\" is in a form that is not changed")
          return nil
        }
        return text(new, like: old)
      }
    }
    return warnings
  }

  /// Returns a time later by some seconds; `nil` if it is before 1904 or beyond all bounds.
  private static func later(_ time: UInt64, by seconds: Int) -> UInt64? {
    let (sum, overflows) = Int64(clamping: time).addingReportingOverflow(Int64(seconds))
    return overflows ? nil : UInt64(exactly: sum)
  }

  /// Returns a time as text, with a colon in its time zone unless the old text has a zone without one.
  private static func text(_ time: PhotoTime, like old: String) -> String {
    var text = time.iso8601
    let zone = old.suffix(5)
    let isQuickTime = old.isEmpty || zone.first == "+" || zone.first == "-"
    if isQuickTime, time.zone != nil { text.remove(at: text.index(text.endIndex, offsetBy: -3)) }
    return text
  }
}

extension MetadataEdits.Texts {
  /// The tags of a movie that hold the texts.
  fileprivate var ofMovie: [TagChange] {
    [("title", title), ("description", caption), ("artist", creator), ("copyright", copyright)]
      .compactMap { name, value in value.map { TagChange(name, $0) } }
  }
}
