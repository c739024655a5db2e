// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The metadata of a photo after a change.
public struct EditedMetadata: Sendable {
  /// Exif after the change, a TIFF stream; `nil` if nothing is left.
  public private(set) var exif: [UInt8]?
  /// XMP after the change, a packet of any size; `nil` if nothing is left.
  public private(set) var xmp: [UInt8]?
  /// IPTC after the change, records or resources as before; `nil` if nothing is left.
  public private(set) var iptc: [UInt8]?
  /// The warnings about metadata that was left out or not changed.
  public private(set) var warnings: [String] = []
  private var edits: MetadataEdits

  /// Changes the metadata of a picture; throws if what must be changed cannot be read.
  public init(_ source: SourceMetadata, by edits: MetadataEdits) throws {
    self.edits = edits
    let strip = edits.strip
    let removes = { (kind: MetadataEdits.Strip) in
      edits.replacesAll || strip.contains(kind) || strip.contains(.all)
    }
    exif = edits.exif ?? (removes(.exif) ? nil : source.exif)
    exif = exif.map(ExifReader.withoutIdentifier)
    xmp = edits.xmp ?? (removes(.xmp) ? nil : source.xmp)
    iptc = edits.iptc ?? (removes(.iptc) ? nil : source.iptc)
    addFallback()
    try changeExif(ExifReader.orientation(of: source.exif ?? []))
    try changeXMP()
    try changeIPTC()
  }

  /// Sets the facts that the photo lacks.
  private mutating func addFallback() {
    let fallback = edits.fallback
    guard fallback != MetadataEdits.Fallback() else { return }
    let facts = exif.flatMap(ExifFacts.init)
    if facts?.taken == nil { edits.time = edits.time ?? fallback.time.map { .set($0) } }
    if facts?.position == nil { edits.position = edits.position ?? fallback.position }
    let described = xmp.flatMap(XMPReader.init)?.list(XMPNamespace.dublinCore, "description") ?? []
    let editor = exif.flatMap { try? ExifEditor($0) }
    guard described.isEmpty, editor?.has(ExifTag.imageDescription, in: .image(0)) != true else {
      return
    }
    edits.texts.caption = edits.texts.caption ?? fallback.caption
  }

  /// The time in Exif after its change; `nil` if it is not changed.
  private var changedTime: PhotoTime? {
    edits.time == nil && edits.zone == nil ? nil : exif.flatMap { try? ExifEditor($0).time }
  }

  private var stripsLocation: Bool { edits.strip.contains(.gps) }

  // MARK: Exif

  /// - Parameter orientation: that of the source, which a JPEG keeps whatever is removed.
  private mutating func changeExif(_ orientation: Int?) throws(SyntaxError) {
    let isKept = exif != nil
    var needed = edits.orientation
    if needed == nil, edits.addsOrientation, let orientation, orientation != 1, !isKept {
      needed = orientation
    }
    let creates =
      edits.time != nil || edits.position != nil || edits.track != nil
      || edits.newThumbnail != nil
      || (edits.addsOrientation && needed ?? 1 != 1)
    guard isKept || creates else { return }
    var editor: ExifEditor
    do throws(SyntaxError) {
      editor = try editorOfExif()
    } catch {
      guard edits.changesExif else {
        return leaveOutUnreadable("Exif", error.message) { $0.exif = nil }
      }
      throw SyntaxError(
        .unsupported, field: "Exif",
        detail: "cannot be read (\(error.message)), so it cannot be changed")
    }
    let wasCut = editor.isCut
    if stripsLocation { try editor.removeLocation() }
    if edits.strip.contains(.preview) { try editor.removePreviews() }
    if edits.strip.contains(.thumbnail) { try editor.removeThumbnail() }
    if let thumbnail = edits.thumbnail { try editor.replaceThumbnail(by: thumbnail) }
    if let needed {
      if edits.addsOrientation || editor.hasOrientation { try editor.setOrientation(needed) }
    }
    if let size = edits.size {
      try editor.setSize(width: size.width, height: size.height)
    }
    if let time = edits.zonedTime { try editor.change(time) }
    if let zone = edits.zone { try editor.set(zone: zone) }
    if let track = edits.track { edits.position = try editor.position(on: track) }
    if let position = edits.position { try editor.set(position: position) }
    try editor.set(edits.texts, rating: edits.rating)
    if let thumbnail = edits.newThumbnail {
      try editor.addThumbnail(
        thumbnail, orientation: ExifReader.orientation(of: editor.bytes) ?? 1,
        capacity: edits.addsOrientation ? JPEGSegment.exifCapacity : .max)
    }
    guard !editor.hasAppendedToCut, wasCut || !editor.isCut else {
      throw SyntaxError(
        .unsupported, field: "Exif",
        detail: "ends within a directory, so nothing can be added to it")
    }
    exif = editor.bytes
    warnings += editor.warnings
  }

  private func editorOfExif() throws(SyntaxError) -> ExifEditor {
    guard let exif else {
      return try edits.newThumbnail == nil ? .empty() : .minimal(orientation: 1)
    }
    let editor = try ExifEditor(exif)
    guard editor.tree.index(of: .image(0)) != nil else {
      throw SyntaxError(.invalid, field: "Exif", detail: "has no directory")
    }
    return editor
  }

  private mutating func leaveOutUnreadable(
    _ name: String, _ problem: String, _ remove: (inout EditedMetadata) -> Void
  ) {
    guard stripsLocation else { return }
    warnings.append(
      "\(name) cannot be read and was left out because it may contain the location: \(problem)")
    remove(&self)
  }

  // MARK: XMP

  private mutating func changeXMP() throws {
    let creates = !edits.texts.isEmpty || edits.rating != nil
    guard let packet = xmp ?? (creates ? GainMapAnnouncement.emptyPacket : nil) else { return }
    do {
      guard let text = XMPEncoding.utf8(packet) else {
        throw XMLError(offset: 0, detail: "is in an encoding that is neither UTF-8 nor UTF-16")
      }
      guard !text.isEmpty || creates else { return }
      var editor = try XMPEditor(text.isEmpty ? GainMapAnnouncement.emptyPacket : text)
      if stripsLocation { _ = editor.removeLocation() }
      if edits.removesVideo { _ = editor.removeVideo() }
      if let orientation = edits.orientation {
        editor.set(XMPNamespace.tiff, "Orientation", to: orientation)
      }
      if let size = edits.size { editor.setSize(width: size.width, height: size.height) }
      try editor.set(edits, time: changedTime)
      if editor.isChanged { xmp = editor.packet() }
    } catch let error as XMLError {
      guard edits.changesXMP else {
        return leaveOutUnreadable("XMP", "\(error)") { $0.xmp = nil }
      }
      throw SyntaxError(
        .unsupported, field: "XMP", detail: "is invalid (\(error)), so it cannot be changed")
    }
  }

  // MARK: IPTC

  /// Changes the records if there are any; new ones are not made, because XMP has replaced them.
  private mutating func changeIPTC() throws(SyntaxError) {
    guard let old = iptc else { return }
    do throws(SyntaxError) {
      let left = stripsLocation ? try IPTC.withoutLocation(old) : old
      let changed = try IPTC.changed(left, edits.texts, time: changedTime)
      iptc = changed.isEmpty ? nil : changed
    } catch {
      guard !edits.texts.isEmpty || changedTime != nil else {
        return leaveOutUnreadable("IPTC", error.message) { $0.iptc = nil }
      }
      throw SyntaxError(
        .unsupported, field: "IPTC",
        detail: "cannot be read (\(error.message)), so it cannot be changed")
    }
  }
}

extension MetadataEdits {
  /// Whether something is set in Exif, which must then be readable.
  fileprivate var changesExif: Bool {
    time != nil || zone != nil || position != nil || track != nil || !texts.isEmpty
      || orientation != nil || newThumbnail != nil
  }

  fileprivate var changesXMP: Bool {
    !texts.isEmpty || rating != nil || time != nil || zone != nil
  }
}
