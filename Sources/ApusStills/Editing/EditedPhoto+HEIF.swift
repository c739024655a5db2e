// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusMetadata
internal import HEIF
internal import ISOBMFF

/// Files of items, of which the metadata, parts and placement change.
extension EditedPhoto {
  static func heif(_ file: PhotoFile, _ edits: PhotoEdits) throws -> EditedPhoto {
    var editor = try ItemEditor(file)
    var changes: [String] = []
    var warnings: [String] = []
    var metadata = edits.allMetadata
    let graph = file.graph
    guard edits.turn == .upright && edits.crop == nil || file.movie.tracks.isEmpty else {
      throw MediaError(
        .unsupported, of: .input,
        "also has a sequence of pictures, which would be neither turned nor cropped")
    }
    let before = try orientation(of: file)
    if edits.turn != .upright {
      let stored = graph.primaryItem?.orientation ?? .upright
      let after = try editor.turn(stored.inverse.then(before).then(edits.turn))
      metadata.orientation = after.exif
      changes.append("orientation \(before.exif) becomes \(after.exif)")
    }
    if edits.crop != nil { metadata.strip.insert(.thumbnail) }
    editor.removedBoxes = boxes(of: edits, in: file)
    changes += editor.removedBoxes.map { "\($0.path) removed" }
    metadata.removesVideo = editor.removedBoxes.contains { $0.node.type == "mpvd" }
    let parts = graph.items.filter { item in edits.removals.contains { $0.fits(item, graph) } }
    editor.remove(Set(parts.map(\.id)))
    if let crop = edits.crop {
      changes.append(try Self.crop(crop, &editor, before))
      warnings.append("keeps the pixels outside of the crop; convert --crop leaves them out")
    }
    if edits.describesGainMapTwice { changes += try describeGainMap(&editor) }
    if let thumbnail = edits.thumbnail { try add(thumbnail, &editor, &changes, &warnings) }
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

  private static func add(
    _ thumbnail: PhotoEdits.NewThumbnail, _ editor: inout ItemEditor, _ changes: inout [String],
    _ warnings: inout [String]
  ) throws {
    switch thumbnail {
    case .side: throw MediaError(.misuse, "the thumbnail to add has not been made")
    case .omitted(let reason): warnings.append(reason)
    case .file(let bytes):
      let id = try editor.addThumbnail(PhotoFile(try BoxTree(reading: MemorySource(bytes))))
      changes.append("thumbnail added (item \(id))")
    }
  }

  /// Crops the primary picture, and returns the change.
  private static func crop(
    _ crop: PictureCrop, _ editor: inout ItemEditor, _ orientation: Orientation
  ) throws -> String {
    guard let item = editor.file.graph.primaryItem, let size = ItemGeometry(item) else {
      throw MediaError(.unsupported, of: .input, "has no picture with a size to crop")
    }
    // Without a property, Exif places the picture.
    var sides = (Int(size.width), Int(size.height))
    if !item.isPlaced, orientation.quarterTurns % 2 == 1 { swap(&sides.0, &sides.1) }
    let kept = try editor.crop(
      to: try crop.rect(inWidth: sides.0, height: sides.1), placed: orientation)
    return "cropped to \(kept.width) × \(kept.height) at \(kept.x), \(kept.y)"
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
