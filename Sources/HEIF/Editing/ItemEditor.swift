// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia
public import ISOBMFF

/// Changes to the items of a file: data replaced, items added and removed, pictures turned. The bytes of all other items
/// stay as they are, and no byte of what was replaced or removed is left.
public struct ItemEditor: Sendable {
  /// The file as it was read.
  public let file: PhotoFile
  let meta: LocatedNode
  /// The new data of items that exist.
  var replacements: [UInt32: [UInt8]] = [:]
  /// The new items by their IDs.
  var additions: [(id: UInt32, item: NewItem)] = []
  /// Further properties of items that exist.
  var properties: [UInt32: [NewItem.Property]] = [:]
  /// Further references from items that exist.
  var references: [(id: UInt32, reference: NewItem.Reference)] = []
  /// A new item that readers should prefer to a picture.
  var alternative: (item: UInt32, picture: UInt32)?
  /// The items to remove.
  public internal(set) var removals: Set<UInt32> = []
  /// The new orientations of pictures, which take the place of `irot` and `imir`.
  var orientations: [UInt32: Orientation] = [:]
  /// The part that is left of a picture, which takes the place of `clap`.
  var crop: (id: UInt32, aperture: CleanAperture)?
  /// The picture that becomes the primary one; `nil` to keep it.
  var primary: UInt32?

  /// Returns XMP without locations. Those of movies and of XMP in the file's boxes are removed if it is set.
  public var strippingXMP: (@Sendable ([UInt8]) -> [UInt8])?
  /// The boxes next to the items that are removed, such as `mpvd`.
  public var removedBoxes: [LocatedNode] = []

  /// Begins to change a file; throws if it is cut off, or if its items have no list of locations, as in the minimized form.
  public init(_ file: PhotoFile) throws(SyntaxError) {
    guard file.graph.locationBox != nil,
      let meta = file.tree.located.first(where: { $0.node.type == "meta" && $0.node.box != nil })
    else {
      throw SyntaxError(
        .unsupported, field: "file", detail: "has no items with locations, which could be changed")
    }
    // The end of the last box would become another one.
    if let cut = file.tree.findings.first(where: { $0.rule == "box-beyond-file" }) {
      throw SyntaxError(
        .unsupported, field: cut.path, path: cut.path, offset: cut.offset,
        detail: "goes past the end of the file, so nothing can be changed")
    }
    self.file = file
    self.meta = meta
  }

  var graph: ItemGraph { file.graph }

  /// Whether the primary picture is coded as HEVC, alone or composed.
  public var isHEVC: Bool {
    let types: Set<FourCC> = ["hvc1", "grid", "iovl", "iden", "tmap"]
    let makings = (graph.primaryID.map(graph.makings) ?? []).compactMap { graph.item($0)?.type }
    return makings.contains("hvc1") && makings.allSatisfy(types.contains)
  }

  /// Whether nothing is changed so far.
  public var isEmpty: Bool {
    replacements.isEmpty && additions.isEmpty && removals.isEmpty && orientations.isEmpty
      && strippingXMP == nil && removedBoxes.isEmpty && primary == nil && crop == nil
      && properties.isEmpty && references.isEmpty
  }
}

// MARK: - Metadata

/// Metadata about a picture, as an item holds it.
public struct DescribingItem: Sendable {
  /// The ID of the item.
  public var id: UInt32
  /// The kind of metadata in it.
  public var kind: MetadataKind
  /// Whether it describes the primary picture.
  public var isPrimary: Bool
  /// The metadata: Exif from its TIFF header, a packet of XMP, or IPTC; `nil` if it is encoded or cannot be read.
  public var data: [UInt8]?
  /// Whether it has no bytes, as some programs leave it when they remove metadata.
  public var isEmpty = false
  /// The bytes before the TIFF header, which include its offset.
  var prefix: [UInt8] = []
}

extension ItemEditor {
  /// Returns the metadata of all pictures, in file order; only the first of a kind counts as that of the primary picture.
  public func metadataItems() throws(SyntaxError) -> [DescribingItem] {
    let primary = try? file.primaryPicture()
    var own: [UInt32] = []
    if let primary, case .item(let id) = primary.place {
      own = file.candidates(id, primary).map(\.id)
    }
    var taken: Set<MetadataKind> = []
    var found: [DescribingItem] = []
    for item in graph.items where !removals.contains(item.id) {
      guard let kind = MetadataKind(item) else { continue }
      let isPrimary = own.contains(item.id) && taken.insert(kind).inserted
      var entry = DescribingItem(id: item.id, kind: kind, isPrimary: isPrimary)
      let extents = try graph.data(of: item.id, in: file.source)
      entry.isEmpty = extents.byteCount == 0
      if !entry.isEmpty, item.contentEncoding.isEmpty,
        extents.byteCount <= file.limits.metadataBytes
      {
        let bytes = try extents.bytes()
        entry.data = kind == .exif ? try file.exif(of: item) : bytes
        if kind == .exif, let tiff = entry.data { entry.prefix = Array(bytes.dropLast(tiff.count)) }
      }
      found.append(entry)
    }
    return found
  }

  /// Replaces the metadata of an item.
  ///
  /// - Parameter data: as in `DescribingItem`; `nil` to remove the item.
  public mutating func set(_ item: DescribingItem, to data: [UInt8]?) {
    guard let data else { return remove([item.id]) }
    guard data != item.data else { return }
    // Some writers omit the offset of the TIFF header, or count it incorrectly.
    let between = Array(item.prefix.dropFirst(4))
    replacements[item.id] = item.kind == .exif ? Self.exif(data, after: between) : data
  }

  /// Adds metadata about the primary picture, as in `DescribingItem`.
  public mutating func add(_ kind: MetadataKind, _ data: [UInt8]) throws(SyntaxError) {
    guard case .item(let picture) = try file.primaryPicture().place else {
      throw SyntaxError(
        .unsupported, field: "the picture", detail: "is not an item, so it can have no metadata")
    }
    var item: NewItem =
      switch kind {
      case .exif: NewItem("Exif", .media(Extent(Self.exif(data))))
      case .xmp: .xmp(data)
      case .iptc: NewItem("iptc", .media(Extent(data)))
      }
    item.isHidden = true
    item.references = [NewItem.Reference(type: "cdsc", to: [picture])]
    add(item)
  }

  /// Adds an item, and returns its ID.
  @discardableResult
  mutating func add(_ item: NewItem) -> UInt32 {
    let id = unusedID
    additions.append((id, item))
    return id
  }

  /// A number that neither an item nor a group has.
  var unusedID: UInt32 {
    // A list of locations may have one of an item that is listed nowhere else.
    let used = [
      graph.items.map(\.id), Array(graph.locations.keys), graph.groups.map(\.id),
      additions.map(\.id),
    ]
    return (used.joined().max() ?? 0) &+ 1
  }

  /// Returns the data of an Exif item: ISO/IEC 23008-12, A.2.1.
  private static func exif(_ tiff: [UInt8], after between: [UInt8] = []) -> [UInt8] {
    UInt32(truncatingIfNeeded: between.count).bigEndianBytes + between + tiff
  }
}

// MARK: - Pictures

extension ItemEditor {
  /// Removes items, and those that only they need: their tiles, their own auxiliary pictures and thumbnails, and what
  /// describes them. The primary picture and what it is made of stay.
  public mutating func remove(_ ids: Set<UInt32>) {
    let kept = Set(graph.primaryID.map(graph.makings) ?? [])
    var waiting = ids.subtracting(kept)
    while let id = waiting.popFirst() {
      guard removals.insert(id).inserted else { continue }
      replacements[id] = nil
      orientations[id] = nil
      let derived = graph.item(id)?.targets("dimg") ?? []
      let dependents = ["auxl", "thmb", "cdsc", "dimg"].flatMap { graph.referrers(to: id, by: $0) }
      for other in derived + dependents where !kept.contains(other) && isUseless(other) {
        waiting.insert(other)
      }
    }
  }

  /// Returns whether an item has no purpose without those that are removed.
  private func isUseless(_ id: UInt32) -> Bool {
    let users = graph.referrers(to: id, by: "dimg")
    guard users.allSatisfy(removals.contains) else { return false }
    if let item = graph.item(id) {
      // A picture cannot be made of an item that is removed.
      if item.targets("dimg").contains(where: removals.contains) { return true }
      let described = ["auxl", "thmb", "cdsc"].flatMap(item.targets)
      if !described.isEmpty { return described.allSatisfy(removals.contains) }
      return !users.isEmpty && (item.isHidden || !graph.displayableItems.contains(id))
    }
    return false
  }

  /// Makes another picture the primary one; throws unless a viewer would offer it.
  public mutating func setPrimary(_ id: UInt32) throws(SyntaxError) {
    guard file.everyPicture.contains(where: { $0.place == .item(id) }) else {
      let known = file.everyPicture.compactMap { picture in
        if case .item(let id) = picture.place { "\(id)" } else { nil }
      }
      throw SyntaxError(
        .misuse, field: "item \(id)",
        detail: "is no picture on its own; those are \(known.joined(separator: ", "))")
    }
    primary = id == graph.primaryID ? nil : id
  }

  /// Turns the primary picture, its alternatives, and its thumbnails and auxiliary pictures.
  ///
  /// - Parameter change: the orientation that follows the present one.
  /// - Returns: the orientation of the primary picture after that.
  public mutating func turn(_ change: Orientation) throws -> Orientation {
    guard let primary = graph.primaryID, let item = graph.item(primary) else {
      throw SyntaxError(.unsupported, field: "file", detail: "has no primary picture to turn")
    }
    let alternatives = graph.groups.filter { $0.type == "altr" && $0.entities.contains(primary) }
      .flatMap(\.entities)
    // Some writers list a tile of the picture as its alternative.
    let inputs = Set(graph.makings(of: primary)).subtracting([primary])
    let masters = Set([primary] + alternatives).subtracting(inputs)
    var related = masters
    for id in masters {
      related.formUnion(["auxl", "thmb"].flatMap { graph.referrers(to: id, by: $0) })
      related.formUnion(graph.item(id)?.targets("thmb") ?? [])
      related.formUnion(
        graph.referrers(to: id, by: "dimg").filter { graph.item($0)?.type == "tmap" })
    }
    for id in related where graph.item(id)?.type == "tmap" {
      related.formUnion(graph.item(id)?.targets("dimg") ?? [])
    }
    let isPlaced = item.isPlaced
    for id in related.subtracting(removals) {
      guard let other = graph.item(id) else { continue }
      // An auxiliary picture without its own orientation has that of the picture.
      if !other.isPlaced, isPlaced, !masters.contains(id), !other.targets("auxl").isEmpty {
        continue
      }
      try turn(other, change)
    }
    return item.orientation.then(change)
  }

  private mutating func turn(_ item: Item, _ change: Orientation) throws(SyntaxError) {
    let types = item.properties.map(\.type)
    if let turn = types.firstIndex(where: { $0 == "irot" || $0 == "imir" }),
      types[turn...].contains("clap")
    {
      throw SyntaxError(
        .unsupported, field: item.title, offset: item.offset,
        detail: "is cropped after it is turned, so its orientation cannot be changed")
    }
    orientations[item.id] = item.orientation.then(change)
  }
}

extension Item {
  /// Its properties that turn it.
  var turns: [ItemProperty] {
    properties.filter { $0.type == "irot" || $0.type == "imir" }
  }

  /// Whether the container states the orientation, even if that has no effect.
  public var isPlaced: Bool { !turns.isEmpty }

  /// The orientation according to `irot` and `imir`, in the order of association.
  public var orientation: Orientation {
    turns.reduce(.upright) { orientation, property in
      if let turn = property.located.box(ImageRotation.self) {
        return orientation.then(turn.orientation)
      }
      return property.located.box(ImageMirror.self).map { orientation.then($0.orientation) }
        ?? orientation
    }
  }
}
