// SPDX-License-Identifier: MIT

internal import ApusBytes

/// Values that are set in their directories. A value that is not larger than the old one takes its place; any other is
/// appended, and the old one becomes zeros.
extension ExifEditor {
  /// A value in the form in which Exif stores it.
  struct Value: Hashable {
    var type: UInt16
    var count: UInt32
    var bytes: [UInt8]

    /// A text of type ASCII, which programs fill with UTF-8.
    static func text(_ text: String) -> Value {
      let bytes = Array(text.utf8) + [0]
      return Value(type: 2, count: UInt32(clamping: bytes.count), bytes: bytes)
    }

    static func bytes(_ bytes: [UInt8], type: UInt16 = 1) -> Value {
      Value(type: type, count: UInt32(clamping: bytes.count), bytes: bytes)
    }

    static func rationals(_ parts: [(UInt32, UInt32)], _ order: ByteOrder) -> Value {
      Value(
        type: TIFFEntry.rational, count: UInt32(parts.count),
        bytes: parts.flatMap { order.bytes($0.0) + order.bytes($0.1) })
    }
  }

  /// Exif without any value.
  static func empty() throws(SyntaxError) -> ExifEditor {
    var header = TIFFHeader()
    var directory = TIFFDirectory(.big, next: 0)
    return try ExifEditor(written(&header) + written(&directory))
  }

  /// Returns whether a directory has a value with a tag.
  func has(_ tag: UInt16, in role: TIFFTree.Role) -> Bool {
    tree.index(of: role).map { index in
      tree.places[index].directory.entries.contains { $0.tag == tag }
    } ?? false
  }

  /// Sets a value, or removes it; a directory that it needs is created.
  mutating func set(_ tag: UInt16, in role: TIFFTree.Role, to value: Value?) throws(SyntaxError) {
    guard let value else { return try removeValue(tag, in: role) }
    guard let index = tree.index(of: role) else {
      return try addDirectory(role, with: tag, value)
    }
    let place = tree.places[index]
    if let position = place.directory.entries.firstIndex(where: { $0.tag == tag }) {
      let old = place.directory.entries[position]
      guard self.value(of: old) != value else { return }
      var entry = try entry(tag, value, over: old)
      overwrite(try Self.written(&entry), at: place.entryOffset(position))
      try readAgain()
      if let range = tree.outside(old) { try clear(range) }
      return
    }
    guard place.directory.isComplete, place.directory.entries.count < UInt16.max else {
      throw SyntaxError(
        .unsupported, field: "Exif", detail: "is invalid, so nothing can be added to it")
    }
    let offset = try append(place.directory, with: entry(tag, value))
    try point(to: offset, as: role)
    try clear(place.range)
  }

  /// Returns the value of an entry, as far as it lies within the stream.
  private func value(of entry: TIFFEntry) -> Value {
    let inside = ByteOrder.big.bytes(entry.value).prefix(entry.byteCount ?? 0)
    let stored = tree.outside(entry).map { Array(bytes[$0]) } ?? Array(inside)
    return Value(type: entry.type, count: entry.count, bytes: stored)
  }

  /// Returns the entry of a value, which is written in the place of an old one or appended.
  private mutating func entry(_ tag: UInt16, _ value: Value, over old: TIFFEntry? = nil)
    throws(SyntaxError) -> TIFFEntry
  {
    var entry = TIFFEntry()
    (entry.order, entry.tag, entry.type, entry.count) = (tree.order, tag, value.type, value.count)
    if value.bytes.count <= 4 {
      let padded = value.bytes + Array(repeating: 0, count: 4 - value.bytes.count)
      entry.value = UInt32(truncatingIfNeeded: Int(bigEndianBytes: padded))
    } else if let old, let range = tree.outside(old), range.count >= value.bytes.count,
      isUsedOnce(range)
    {
      overwrite(
        value.bytes + Array(repeating: 0, count: range.count - value.bytes.count),
        at: range.lowerBound)
      entry.value = old.value
    } else {
      entry.value = tree.order.stored(try append(value.bytes))
    }
    return entry
  }

  private func isUsedOnce(_ range: Range<Int>) -> Bool {
    let users = tree.places.flatMap { $0.directory.entries.compactMap(tree.outside) }
    return users.count { $0.overlaps(range) } == 1
      && RangeSet(range).isDisjoint(tables(except: []))
  }

  private mutating func removeValue(_ tag: UInt16, in role: TIFFTree.Role) throws(SyntaxError) {
    guard let index = tree.index(of: role) else { return }
    var directory = tree.places[index].directory
    let gone = directory.entries.filter { $0.tag == tag }
    guard !gone.isEmpty else { return }
    directory.entries.removeAll { $0.tag == tag }
    let ranges = gone.compactMap(tree.outside)
    try rewrite(index, as: directory)
    try readAgain()
    for range in ranges { try clear(range) }
  }

  /// Adds a directory with one value, to which the first one points.
  private mutating func addDirectory(_ role: TIFFTree.Role, with tag: UInt16, _ value: Value)
    throws(SyntaxError)
  {
    let entry = try entry(tag, value)
    let offset = try append(TIFFDirectory(tree.order, next: 0), with: entry)
    let pointer = role == .gps ? ExifTag.gps : ExifTag.exif
    let number = Value(type: TIFFEntry.long, count: 1, bytes: tree.order.bytes(offset))
    try set(pointer, in: .image(0), to: number)
  }

  /// Makes the header or the first directory point to a directory that has moved.
  private mutating func point(to offset: UInt32, as role: TIFFTree.Role) throws(SyntaxError) {
    guard role != .image(0) else {
      var header = TIFFHeader(order: tree.order, directoryOffset: offset)
      overwrite(try Self.written(&header), at: 0)
      return try readAgain()
    }
    guard let image = tree.index(of: .image(0)) else { return }
    let tag = role == .gps ? ExifTag.gps : ExifTag.exif
    let place = tree.places[image]
    for (index, entry) in place.directory.entries.enumerated() where entry.tag == tag {
      var entry = entry
      entry.integer = offset
      overwrite(try Self.written(&entry), at: place.entryOffset(index))
    }
    try readAgain()
  }

  /// Overwrites bytes that are no longer used with zeros.
  mutating func clear(_ range: Range<Int>) throws(SyntaxError) {
    var gone = RangeSet(range)
    gone.subtract(used(by: tree.places.indices))
    gone.remove(contentsOf: 0..<TIFFHeader.size)
    zero(gone)
    try readAgain()
  }
}

// MARK: - Facts of a photo

extension ExifEditor {
  var hasOrientation: Bool { has(ExifTag.orientation, in: .image(0)) }

  /// The time at which the photo was taken.
  var time: PhotoTime? { time(Self.times[0]) }

  /// The tags of a time, its zone and its fraction.
  private typealias TimeTags = (time: UInt16, zone: UInt16, fraction: UInt16)
  /// The tags of the times at which a photo was taken and digitized, which are the same for a camera.
  private static let times: [TimeTags] = [
    (ExifTag.dateTimeOriginal, ExifTag.offsetTimeOriginal, ExifTag.subSecTimeOriginal),
    (ExifTag.dateTimeDigitized, ExifTag.offsetTimeDigitized, ExifTag.subSecTimeDigitized),
  ]

  private func time(_ tags: TimeTags) -> PhotoTime? {
    guard let photo = tree.index(of: .exif).map({ tree.places[$0].directory }) else { return nil }
    let text = { (tag: UInt16) in tree.text(tag, of: photo, in: bytes) }
    var time = text(tags.time).flatMap { PhotoTime($0) }
    time?.fraction = text(tags.fraction) ?? ""
    time?.zone = text(tags.zone)
    return time
  }

  mutating func change(_ change: MetadataEdits.TimeChange) throws(SyntaxError) {
    switch change {
    case .set(let time):
      for tags in Self.times {
        try set(tags.time, in: .exif, to: .text(time.exif))
        try set(tags.zone, in: .exif, to: time.zone.map { .text($0) })
        let fraction = time.fraction.isEmpty ? nil : Value.text(time.fraction)
        try set(tags.fraction, in: .exif, to: fraction)
      }
    case .shift(let seconds):
      guard time != nil else {
        throw SyntaxError(
          .unsupported, field: "Exif", detail: "has no time that could be shifted")
      }
      for tags in Self.times {
        guard let old = time(tags) else { continue }
        guard let new = old.later(by: seconds) else {
          throw SyntaxError(.unsupported, field: "Exif", detail: "cannot have a time before 1904")
        }
        try set(tags.time, in: .exif, to: .text(new.exif))
      }
    }
  }

  /// Sets the time zone of the times.
  mutating func set(zone: String) throws(SyntaxError) {
    guard time != nil else {
      throw SyntaxError(.unsupported, field: "Exif", detail: "has no time that could have a zone")
    }
    for tags in Self.times where time(tags) != nil {
      try set(tags.zone, in: .exif, to: .text(zone))
    }
  }

  /// Returns the place on a track where the photo was taken.
  func position(on track: RecordedTrack) throws(SyntaxError) -> ExifPosition {
    guard let time else {
      throw SyntaxError(
        .unsupported, field: "Exif", detail: "has no time by which a place could be found")
    }
    guard let utc = time.utc else {
      throw SyntaxError(
        .unsupported, field: "Exif",
        detail: "does not tell the time zone, without which a place cannot be found by time")
    }
    guard let position = track.position(at: utc) else {
      throw SyntaxError(
        .unsupported, field: "the track", detail: "has no place near \(time.iso8601)")
    }
    return position
  }

  /// Sets the coordinates, and removes the altitude and the error that were those of others.
  mutating func set(position: ExifPosition) throws(SyntaxError) {
    if !has(ExifTag.gpsVersion, in: .gps) {
      try set(ExifTag.gpsVersion, in: .gps, to: .bytes([2, 3, 0, 0]))
    }
    let angles = [
      (ExifTag.gpsLatitude, position.latitude, "N", "S"),
      (ExifTag.gpsLongitude, position.longitude, "E", "W"),
    ]
    for (tag, degrees, positive, negative) in angles {
      try set(tag - 1, in: .gps, to: .text(degrees < 0 ? negative : positive))
      try set(tag, in: .gps, to: .rationals(Self.sexagesimal(abs(degrees)), tree.order))
    }
    let altitude = position.altitude
    let order = tree.order
    try set(
      ExifTag.gpsAltitude - 1, in: .gps, to: altitude.map { .bytes([$0 < 0 ? 1 : 0]) })
    try set(
      ExifTag.gpsAltitude, in: .gps,
      to: altitude.map { .rationals([(UInt32((abs($0) * 100).rounded()), 100)], order) })
    try set(ExifTag.gpsError, in: .gps, to: nil)
  }

  /// Returns degrees, minutes and seconds, to a ten thousandth of a second.
  private static func sexagesimal(_ degrees: Double) -> [(UInt32, UInt32)] {
    let units = Int((degrees * 36_000_000).rounded())
    let (minutes, seconds) = (units / 600_000, units % 600_000)
    return [
      (UInt32(clamping: minutes / 60), 1), (UInt32(clamping: minutes % 60), 1),
      (UInt32(clamping: seconds), 10_000),
    ]
  }

  /// Sets texts and the rating. Windows' own tags and ratings in Exif change only where there are some.
  mutating func set(_ texts: MetadataEdits.Texts, rating: Int?) throws(SyntaxError) {
    let values: [(text: String?, tag: UInt16?, windows: UInt16?)] = [
      (texts.title, nil, ExifTag.xpTitle),
      (texts.caption, ExifTag.imageDescription, ExifTag.xpComment),
      (texts.creator, ExifTag.artist, ExifTag.xpAuthor),
      (texts.copyright, ExifTag.copyright, nil),
      (texts.keywords?.joined(separator: ";"), nil, ExifTag.xpKeywords),
    ]
    for (text, tag, windows) in values {
      guard let text else { continue }
      if let tag { try set(tag, in: .image(0), to: text.isEmpty ? nil : .text(text)) }
      guard let windows, has(windows, in: .image(0)) else { continue }
      let units = text.utf16.flatMap(ByteOrder.little.bytes) + [0, 0]
      try set(windows, in: .image(0), to: text.isEmpty ? nil : .bytes(units))
    }
    if let rating, has(ExifTag.rating, in: .image(0)) {
      let value = Value(
        type: TIFFEntry.short, count: 1, bytes: tree.order.bytes(UInt16(clamping: rating)))
      try set(ExifTag.rating, in: .image(0), to: value)
    }
  }
}
