// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusMedia
internal import ApusMetadata
public import HEIF
public import ISOBMFF

/// A photo after a change that leaves its coded pictures as they are.
public struct EditedPhoto: Sendable {
  private enum Contents: Sendable {
    case boxes(EditedFile)
    case bytes(Extent)
  }

  private let contents: Contents
  /// The size of the file in bytes.
  public let count: Int
  /// The bytes to overwrite in the old file to obtain the new one; `nil` if its size changes.
  public let splices: [Splice]?
  /// The moves that result from the change, for display.
  public let moves: [EditedFile.Move]
  /// The changes in order, for people: `Exif changed`.
  public private(set) var changes: [String] = []
  /// The warnings about metadata that was left out or not changed.
  public private(set) var warnings: [String] = []

  /// Changes a photo in memory; nothing is written yet. Throws if a part that must change cannot be read, or if the file
  /// is of a kind that is not changed.
  public init(
    _ source: any ByteSource, _ edits: PhotoEdits, limits: PlanLimits = PlanLimits(),
    boxes: Limits = Limits()
  ) throws {
    let kind = try FileKind(of: source)
    guard kind == .jpeg || kind == .isoBMFF else {
      throw MediaError(
        .unsupported, of: .input,
        "is \(kind.description); only HEIF, AVIF and JPEG are changed without re-encoding")
    }
    var options = ConvertOptions()
    (options.limits, options.boxLimits) = (limits, boxes)
    switch try PhotoContents(source, kind, options) {
    case .heif(let file) where file.graph.items.isEmpty && !file.movie.tracks.isEmpty:
      self = try Self.movie(file, edits)
    case .heif(let file): self = try Self.heif(file, edits)
    case .jpeg(let photo): self = try Self.jpeg(photo, edits)
    case .plain:
      throw MediaError(.unsupported, of: .input, "cannot be changed without re-encoding")
    }
  }

  /// Changes a file of items.
  init(_ file: PhotoFile, _ edits: PhotoEdits) throws { self = try Self.heif(file, edits) }

  init(_ edited: EditedFile, _ changes: [String], _ warnings: [String]) {
    contents = .boxes(edited)
    (count, splices, moves) = (edited.count, edited.splices, edited.moves)
    (self.changes, self.warnings) = (changes, warnings)
  }

  init(
    _ bytes: SplicedSource, _ pieces: [SplicedSource.Piece], _ changes: [String],
    _ warnings: [String]
  ) {
    contents = .bytes(Extent(bytes, 0..<bytes.count))
    count = bytes.count
    let keepsSize = pieces.allSatisfy { $0.range.count == $0.bytes.count }
    splices =
      keepsSize ? pieces.map { Splice(range: $0.range, bytes: $0.bytes, reason: "metadata") } : nil
    moves = []
    (self.changes, self.warnings) = (changes, warnings)
  }

  /// Writes the whole file.
  public func write<Sink: ByteSink>(to writer: inout SyntaxWriter<Sink>) throws {
    switch contents {
    case .boxes(let file): try file.tree.write(to: &writer)
    case .bytes(let extent): try writer.append(extent)
    }
  }

  /// Returns the whole file in memory.
  public func bytes() throws -> [UInt8] {
    var writer = SyntaxWriter(ArraySink())
    try write(to: &writer)
    return writer.sink.bytes
  }

  /// The bytes of the whole file, most of which stay where they are.
  func extent() throws(SyntaxError) -> Extent {
    switch contents {
    case .boxes(let file):
      let source = try EditedSource(file)
      return Extent(source, 0..<source.count)
    case .bytes(let extent): return extent
    }
  }
}

// MARK: - HEIF

extension EditedPhoto {
  private static func heif(_ file: PhotoFile, _ edits: PhotoEdits) throws -> EditedPhoto {
    var editor = try ItemEditor(file)
    var changes: [String] = []
    var warnings: [String] = []
    var metadata = edits.metadata
    let graph = file.graph
    let before = try orientation(of: file)
    if edits.turn != .upright {
      guard file.movie.tracks.isEmpty else {
        throw MediaError(
          .unsupported, of: .input, "also has a sequence of pictures, which would not be turned")
      }
      let stored = graph.primaryItem?.orientation ?? .upright
      let after = try editor.turn(stored.inverse.then(before).then(edits.turn))
      metadata.orientation = after.exif
      changes.append("orientation \(before.exif) becomes \(after.exif)")
    }
    if edits.removals.contains(.thumbnail) { metadata.strip.insert(.thumbnail) }
    editor.removedBoxes = boxes(of: edits, in: file)
    changes += editor.removedBoxes.map { "\($0.path) removed" }
    metadata.removesVideo = editor.removedBoxes.contains { $0.node.type == "mpvd" }
    let parts = graph.items.filter { item in edits.removals.contains { $0.fits(item, graph) } }
    editor.remove(Set(parts.map(\.id)))
    for id in editor.removals.sorted() {
      changes.append("item \(id) (\(graph.item(id)?.type ?? "")) removed")
    }
    if let primary = edits.primary {
      try editor.setPrimary(primary)
      changes.append("item \(primary) is the primary picture")
    }
    if metadata.exif != nil, let item = graph.primaryItem {
      // The picture stays as it is placed, whatever the other photo's Exif says.
      metadata.orientation = metadata.orientation ?? before.exif
      metadata.size = item.property(ImageSpatialExtents.self).map {
        (Int($0.width), Int($0.height))
      }
    }
    try change(metadata, &editor, &changes, &warnings)
    if metadata.strip.contains(.gps) { editor.strippingXMP = withoutLocation }
    return EditedPhoto(try editor.finished(), changes, warnings)
      .warning(of: file.tree.contentCredentials.isEmpty, edits)
  }

  /// Returns the boxes next to the items that are removed.
  private static func boxes(of edits: PhotoEdits, in file: PhotoFile) -> [LocatedNode] {
    let types: [(PhotoEdits.Part, FourCC)] = [(.motion, "mpvd"), (.trailer, "sefd")]
    let known = types.filter { edits.removals.contains($0.0) }.map(\.1)
    var found = file.tree.located.filter { known.contains($0.node.type) }
    if edits.removals.contains(.c2pa) { found += file.tree.contentCredentials }
    if !edits.metadata.strip.isDisjoint(with: [.all, .xmp]) { found += file.tree.packets }
    return found
  }

  /// Returns XMP without locations; empty if it cannot be read.
  @Sendable static func withoutLocation(_ packet: [UInt8]) -> [UInt8] {
    let left = try? EditedMetadata(SourceMetadata(xmp: packet), by: .strippingLocation)
    return left?.xmp ?? []
  }

  /// Adds a warning if Content Credentials stay in a file whose bytes change.
  func warning(of hasNone: Bool, _ edits: PhotoEdits) -> EditedPhoto {
    guard !hasNone, !edits.removals.contains(.c2pa), splices?.isEmpty != true else { return self }
    var photo = self
    photo.warnings.append(
      "its Content Credentials (C2PA) are no longer valid, because its bytes changed")
    return photo
  }

  /// Returns the orientation of the primary picture; where the container states none, that of Exif.
  private static func orientation(of file: PhotoFile) throws -> Orientation {
    guard let item = file.graph.primaryItem else { return .upright }
    let picture = try file.primaryPicture()
    guard !item.isPlaced, let exif = try file.metadata(of: picture).exif else {
      return item.orientation
    }
    return ExifReader.orientation(of: exif).flatMap { Orientation(exif: $0) } ?? .upright
  }

  private static func change(
    _ edits: MetadataEdits, _ editor: inout ItemEditor, _ changes: inout [String],
    _ warnings: inout [String]
  ) throws {
    let items = try editor.metadataItems()
    var own = SourceMetadata()
    for item in items where item.isPrimary { own.set(item.kind, item.data) }
    let edited = try EditedMetadata(own, by: edits)
    warnings += edited.warnings
    if XMPAnnouncements.exist(in: own.xmp), !XMPAnnouncements.exist(in: edited.xmp) {
      warnings.append("XMP no longer announces the gain map or video in the file, which stays")
    }
    for kind in [MetadataKind.exif, .xmp, .iptc] {
      let item = items.first { $0.kind == kind && $0.isPrimary }
      let data = edited[kind]
      if let item {
        guard item.data != nil || item.isEmpty || edits.replaces(kind) else {
          try leaveOut(unreadable: item, by: edits, isNeeded: data != nil, &editor, &warnings)
          continue
        }
        guard item.data != data else { continue }
        editor.set(item, to: data)
        changes.append("\(kind.rawValue) \(data == nil ? "removed" : "changed")")
      } else if let data {
        try editor.add(kind, data)
        changes.append("\(kind.rawValue) added")
      }
    }
    for item in items where !item.isPrimary {
      try change(item, by: edits.ofEveryPicture, &editor, &changes, &warnings)
    }
  }

  /// Removes metadata that is encoded, too large or damaged, if all of its kind goes or if it might tell a place; it
  /// stays otherwise. Throws if something must be set in it.
  private static func leaveOut(
    unreadable item: DescribingItem, by edits: MetadataEdits, isNeeded: Bool,
    _ editor: inout ItemEditor, _ warnings: inout [String]
  ) throws {
    guard edits.removesUnreadable(item.kind) else {
      guard isNeeded else { return }
      throw MediaError(
        .unsupported, of: .input,
        "has \(item.kind.rawValue) (item \(item.id)) that is encoded, too large or damaged, so it cannot be changed"
      )
    }
    editor.set(item, to: nil)
    warnings.append("\(item.kind.rawValue) (item \(item.id)) cannot be read and was left out")
  }

  /// Changes the metadata of another picture in the file. That of an auxiliary picture tells how it is used.
  private static func change(
    _ item: DescribingItem, by edits: MetadataEdits, _ editor: inout ItemEditor,
    _ changes: inout [String], _ warnings: inout [String]
  ) throws {
    guard !edits.strip.isEmpty, !item.isEmpty else { return }
    let graph = editor.file.graph
    let described = graph.item(item.id)?.targets("cdsc").compactMap(graph.item) ?? []
    var edits = edits
    let isAuxiliary = !described.isEmpty && described.allSatisfy { !$0.targets("auxl").isEmpty }
    if isAuxiliary { edits.strip = edits.strip.isDisjoint(with: [.gps, .all]) ? [] : [.gps] }
    guard let old = item.data else {
      return try leaveOut(unreadable: item, by: edits, isNeeded: false, &editor, &warnings)
    }
    var own = SourceMetadata()
    own.set(item.kind, old)
    let edited = try EditedMetadata(own, by: edits)
    let data = edited[item.kind]
    guard data != old else { return }
    warnings += edited.warnings
    editor.set(item, to: data)
    changes.append("\(item.kind.rawValue) (item \(item.id)) \(data == nil ? "removed" : "changed")")
  }
}

extension SourceMetadata {
  fileprivate mutating func set(_ kind: MetadataKind, _ data: [UInt8]?) {
    switch kind {
    case .exif: exif = data
    case .xmp: xmp = data
    case .iptc: iptc = data
    }
  }
}

extension EditedMetadata {
  fileprivate subscript(kind: MetadataKind) -> [UInt8]? {
    switch kind {
    case .exif: exif
    case .xmp: xmp
    case .iptc: iptc
    }
  }
}

extension MetadataEdits {
  /// Whether metadata of a kind is replaced by other, whatever it is.
  fileprivate func replaces(_ kind: MetadataKind) -> Bool {
    switch kind {
    case .exif: exif != nil || replacesAll
    case .xmp: xmp != nil || replacesAll
    case .iptc: iptc != nil || replacesAll
    }
  }

  /// Whether metadata of a kind that cannot be read is removed.
  fileprivate func removesUnreadable(_ kind: MetadataKind) -> Bool {
    let own: Strip =
      switch kind {
      case .exif: .exif
      case .xmp: .xmp
      case .iptc: .iptc
      }
    return !strip.isDisjoint(with: [.gps, .all, own])
  }
}
