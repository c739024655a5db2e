// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusRecords
internal import HEIF
public import HEVC
internal import ISOBMFF

/// The facts of a file of items: its primary picture and the items that belong to it.
public struct PictureItemFacts: Sendable {
  /// The number of items, including hidden ones and metadata.
  public var itemCount: Int
  /// The number of items of each type, most frequent first.
  public var types: [(type: FourCC, count: Int)]
  /// The primary picture; `nil` if there is none.
  public var primary: ItemFacts?
  /// The thumbnails of all pictures.
  public var thumbnails: [ItemFacts] = []
  /// The auxiliary pictures of all pictures.
  public var auxiliaries: [AuxiliaryFacts] = []
  /// The items with metadata, about any picture.
  public var metadata: [MetadataFacts] = []
  /// Whether there is a gain map, by Apple's URN or as a `tmap` item.
  public var hasGainMap = false
  /// The gain map of the primary picture; `nil` if there is none.
  public var gainMap: GainMapFacts?
  /// The first entity groups, at most `mostGroups`.
  public var groups: [GroupFacts] = []
  /// The number of groups.
  public var groupCount = 0

  /// The most groups listed: a burst or an album has a few, but a file may declare hundreds of thousands.
  public static let mostGroups = 1000

  /// An auxiliary picture: alpha, depth, gain map …
  public struct AuxiliaryFacts: Sendable {
    /// The item with the auxiliary picture.
    public var item: ItemFacts
    /// The URN of its kind, from `auxC`.
    public var urn: String
    /// The name of the URN, if it is known.
    public var name: String?
  }

  /// The facts of one item with metadata.
  public struct MetadataFacts: Hashable, Sendable {
    /// The ID of its item; `nil` if the file has no items.
    public var id: UInt32?
    /// The kind: `Exif`, or the media type of a `mime` item.
    public var kind: String
    /// The size in bytes; `nil` if its data are missing.
    public var bytes: Int?
  }

  /// Items and tracks that belong together.
  public struct GroupFacts: Hashable, Sendable {
    /// The type of the group, such as `altr` or `ster`.
    public var type: FourCC
    /// The number of its items and tracks.
    public var entities: Int
  }

  init(of graph: ItemGraph, in source: any ByteSource, headers: HeadersReader) {
    itemCount = graph.items.count
    let counts = graph.items.reduce(into: [FourCC: Int]()) { $0[$1.type, default: 0] += 1 }
    types = counts.map { (type: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.type.code) < ($0.count, $1.type.code) }
    let facts = { ItemFacts($0, in: graph, source, headers) }
    primary = graph.primaryItem.map(facts)
    groupCount = graph.groups.count
    groups = graph.groups.prefix(Self.mostGroups).map {
      GroupFacts(type: $0.type, entities: $0.entities.count)
    }
    for item in graph.items { add(item, graph, source, facts) }
  }

  private mutating func add(
    _ item: Item, _ graph: ItemGraph, _ source: any ByteSource, _ facts: (Item) -> ItemFacts
  ) {
    if item.type == "tmap" { hasGainMap = true }
    if !item.targets("thmb").isEmpty { thumbnails.append(facts(item)) }
    if let auxiliary = item.property(AuxiliaryType.self), !item.targets("auxl").isEmpty {
      let urn = auxiliary.auxType.description
      let kind = AuxiliaryKind(urn: urn)
      if kind == .gainMap { hasGainMap = true }
      auxiliaries.append(
        AuxiliaryFacts(item: facts(item), urn: urn, name: kind?.name))
    }
    switch item.type {
    case "Exif": addMetadata(item, "Exif", graph, source)
    case "mime": addMetadata(item, item.contentType, graph, source)
    case "uri ": addMetadata(item, item.uriType, graph, source)
    default: break
    }
  }

  private mutating func addMetadata(
    _ item: Item, _ kind: String, _ graph: ItemGraph, _ source: any ByteSource
  ) {
    let bytes = (try? graph.data(of: item.id, in: source))?.reduce(0) { $0 + $1.count }
    metadata.append(MetadataFacts(id: item.id, kind: kind, bytes: bytes))
  }
}

/// The facts of one picture item.
public struct ItemFacts: Sendable {
  /// The ID of the item.
  public var id: UInt32
  /// The type of the item, such as `hvc1` or `grid`.
  public var type: FourCC
  /// The codec of the item, or of the first picture from which it is derived.
  public var codec: String
  /// The size as stored, before any cropping or rotation; `nil` where unknown.
  public var codedSize: PixelSize?
  /// The size after clean aperture and rotation.
  public var displaySize: PixelSize?
  /// The rotation clockwise, in degrees, after mirroring.
  public var rotation = 0
  /// Whether the picture is mirrored, before it is rotated.
  public var isMirrored = false
  /// The profile, chroma format and bit depth of the codec.
  public var format: CodedFormat
  /// The colors of the picture.
  public var colour: ColourFacts
  /// The number of inputs of a derived picture.
  public var inputCount = 0
  /// The size of the coded data in bytes, including all inputs; `nil` if some are missing.
  public var bytes: Int?
  /// The assessment of whether Apple's players can play it; `nil` for anything but HEVC.
  public var apple: AppleSubset?

  init(
    _ item: Item, in graph: ItemGraph, _ source: any ByteSource, _ headers: HeadersReader
  ) {
    id = item.id
    type = item.type
    codedSize = Self.size(of: item)
    if let geometry = ItemGeometry(item) {
      displaySize = PixelSize(width: Int(geometry.width), height: Int(geometry.height))
      rotation = geometry.rotation
      isMirrored = geometry.isMirrored
    }
    let inputs = item.targets("dimg")
    inputCount = inputs.count
    // A derived picture has the coding of its inputs, which may themselves be derived.
    var coded = item
    for _ in 0..<4 {
      guard let first = coded.targets("dimg").first, let next = graph.item(first) else { break }
      coded = next
    }
    let properties = coded.properties.map(\.located.node)
    codec = CodecString.of(properties, type: coded.type)
    let record = coded.property(HEVCConfiguration.self)?.record
    apple = record.map { AppleSubset($0, headers: headers) }
    let headers = record.map { headers.headers(of: $0) }
    format = CodedFormat(properties, headers)
    if format.bitDepth == nil {
      let pixels = item.property(PixelInformation.self) ?? coded.property(PixelInformation.self)
      format.bitDepth = pixels?.bitsPerChannel.max().map { Int($0) }
    }
    colour = ColourFacts(
      item.properties.contains { $0.type == "colr" }
        ? item.properties.map(\.located.node) : properties,
      headers)
    bytes = Self.size(of: inputs.isEmpty ? [item.id] : inputs, graph, source)
  }

  /// Returns the size as stored.
  static func size(of item: Item) -> PixelSize? {
    item.property(ImageSpatialExtents.self).map {
      PixelSize(width: Int($0.width), height: Int($0.height))
    }
  }

  private static func size(of ids: [UInt32], _ graph: ItemGraph, _ source: any ByteSource) -> Int? {
    var sum = 0
    for id in ids {
      guard let extents = try? graph.data(of: id, in: source) else { return nil }
      sum += extents.reduce(0) { $0 + $1.count }
    }
    return sum
  }
}

// MARK: - Declaration

extension PictureItemFacts: Described {
  package static let title = "picture"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == PictureItemFacts {
    v.required("items", "The number of items.") { $0.itemCount }
    v.required("types", "The number of items of each type.") { facts in
      FactCounts(facts.types.map { ($0.type.description, $0.count) })
    }
    v.optional("primary", "The primary picture.") { $0.primary }
    v.required("gain_map", "Whether there is a gain map.") { $0.hasGainMap }
    v.optional("hdr", "The gain map of the primary picture.") { $0.gainMap }
    v.required("auxiliaries", "Auxiliary pictures: alpha, depth, gain maps.") {
      $0.auxiliaries
    }
    v.required("thumbnails", "The thumbnails.") { $0.thumbnails }
    v.required("metadata", "Exif and XMP.") { $0.metadata }
    v.required("groups", "The first of its entity groups.") { $0.groups }
    v.optional("group_count", "The number of groups, if not all are listed.") {
      $0.groupCount > $0.groups.count ? $0.groupCount : nil
    }
  }
}

extension PictureItemFacts.AuxiliaryFacts: Described {
  package static let title = "auxiliary"

  package static func describe<V: FactVisitor>(_ v: inout V)
  where V.Subject == PictureItemFacts.AuxiliaryFacts {
    v.required("urn", "The type of auxiliary picture.") { $0.urn }
    v.optional("name", "The type in a word.") { $0.name }
    v.facts { $0.item }
  }
}

extension PictureItemFacts.MetadataFacts: Described {
  package static let title = "metadata"

  package static func describe<V: FactVisitor>(_ v: inout V)
  where V.Subject == PictureItemFacts.MetadataFacts {
    v.optional("id", "The ID of the item, if the file has items.") { $0.id }
    v.required("kind", "`Exif`, or a media type.") { $0.kind }
    v.optional("bytes", "The size in bytes.") { $0.bytes }
  }
}

extension PictureItemFacts.GroupFacts: Described {
  package static let title = "group"

  package static func describe<V: FactVisitor>(_ v: inout V)
  where V.Subject == PictureItemFacts.GroupFacts {
    v.required("type", "The type of the group.") { $0.type }
    v.required("entities", "The number of items and tracks in it.") { $0.entities }
  }
}

extension ItemFacts: Described {
  package static let title = "item"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == ItemFacts {
    v.required("id", "The ID of the item.") { $0.id }
    v.required("type", "The type of the item.") { $0.type }
    v.required("codec", "The codec string; for a derived picture, that of its first input.") {
      $0.codec
    }
    v.optional("coded_width", "The stored width.") { $0.codedSize?.width }
    v.optional("coded_height", "The stored height.") { $0.codedSize?.height }
    v.optional("display_width", "The width after cropping and rotation.") {
      $0.displaySize?.width
    }
    v.optional("display_height", "The height after cropping and rotation.") {
      $0.displaySize?.height
    }
    v.required("rotation", "Degrees clockwise, after mirroring.") { $0.rotation }
    v.required("mirrored", "Whether left and right are swapped.") { $0.isMirrored }
    v.required("inputs", "The number of inputs of a derived picture.") { $0.inputCount }
    v.optional("bytes", "The size of the coded data, including all inputs, in bytes.") { $0.bytes }
    v.facts { $0.format }
    v.required("colour", "The colour of its samples.") { $0.colour }
    v.optional("apple", "Whether HEVC pictures open on Apple devices.") { $0.apple }
  }
}
