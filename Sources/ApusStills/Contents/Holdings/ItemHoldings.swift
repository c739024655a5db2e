// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import HEIF
internal import ISOBMFF

/// The content of a file of items in addition to its primary picture: ISO/IEC 23008-12. Every item and box has to be
/// accounted for; unknown ones are named by their types.
struct ItemHoldings {
  private let file: PhotoFile
  private var holdings: [SourceHolding] = []
  /// Items that are accounted for, including their components.
  private var known: Set<UInt32> = []
  private let pictures: Set<UInt32>
  /// The types of metadata items that refer to no picture.
  private var orphans: Set<String> = []

  static func holdings(of file: PhotoFile) -> [SourceHolding] {
    var search = ItemHoldings(file)
    search.addPictures()
    for item in search.graph.items { search.addCompanion(item) }
    for item in search.graph.items where !search.known.contains(item.id) { search.addOther(item) }
    search.addProperties()
    for node in file.tree.located { search.add(node) }
    search.addUnreferenced()
    return search.holdings
  }

  private init(_ file: PhotoFile) {
    self.file = file
    pictures = Set(
      file.pictures.compactMap { if case .item(let id) = $0.place { id } else { nil } })
  }

  private var graph: ItemGraph { file.graph }

  /// Accounts for an item, its inputs and references, and items that share its data.
  private mutating func know(_ id: UInt32) {
    var waiting = [id]
    while let next = waiting.popLast() {
      guard known.insert(next).inserted, let item = graph.item(next) else { continue }
      for type in ["dimg", "pred", "base", "tbas", "iloc"] as [FourCC] {
        waiting += item.targets(type)
      }
    }
  }

  private mutating func addPictures() {
    for picture in file.pictures {
      guard case .item(let id) = picture.place else { continue }
      if !picture.isPrimary { holdings.add(.pictures) }
      if picture.isPrimary, graph.item(id).map(isCropped) ?? false { holdings.add(.margins) }
      if picture.isPrimary, graph.item(id)?.type == "tmap" { holdings.add(.gainMap) }
      know(id)
    }
    // The other eye may be hidden, and only the first of several alternatives is shown.
    for id in graph.groups.filter({ $0.type != "pymd" }).flatMap(\.entities)
    where !known.contains(id) {
      guard let item = graph.item(id), item.type != "tmap" else { continue }
      holdings.add(.hiddenPictures)
      know(id)
    }
  }

  /// Returns whether a clean aperture hides more of a picture than encoders add to fill their blocks.
  private func isCropped(_ item: Item) -> Bool {
    guard let size = item.property(ImageSpatialExtents.self),
      let shown = item.property(CleanAperture.self), shown.widthD > 0, shown.heightD > 0
    else { return false }
    return Int(size.width) - Int(shown.widthN / shown.widthD) >= Self.largestBlock
      || Int(size.height) - Int(shown.heightN / shown.heightD) >= Self.largestBlock
  }

  /// The side of HEVC's largest block.
  private static let largestBlock = 64

  /// Adds a picture that accompanies another.
  private mutating func addCompanion(_ item: Item) {
    guard !known.contains(item.id) else { return }
    if graph.primaryItem?.targets("thmb").contains(item.id) == true {
      // Either the reference is reversed, or the primary item is a thumbnail and this is its original.
      if isLargerThanPrimary(item) { holdings.add(.hiddenPictures) }
      return know(item.id)
    }
    if !item.targets("thmb").isEmpty { return know(item.id) }
    if item.type == "tmap" {
      holdings.add(.gainMap)
      return know(item.id)
    }
    guard !item.targets("auxl").isEmpty || item.auxiliaryURN != nil else { return }
    let isMapOfItem = graph.referrers(to: item.id, by: "dimg").contains {
      graph.item($0)?.type == "tmap"
    }
    switch item.auxiliaryKind {
    case .alpha: holdings.add(.alpha)
    case .depth: holdings.add(.depth)
    case .matte: holdings.add(.mattes)
    case .gainMap: if !isMapOfItem { holdings.add(.gainMap) }
    case nil: if !isMapOfItem { holdings.add(.auxiliaries) }
    }
    know(item.id)
  }

  private func isLargerThanPrimary(_ item: Item) -> Bool {
    guard let primary = graph.primaryItem.flatMap({ ItemGeometry($0) }),
      let geometry = ItemGeometry(item)
    else { return true }
    return geometry.width > primary.width || geometry.height > primary.height
  }

  private mutating func addOther(_ item: Item) {
    let described = item.targets("cdsc")
    guard item.isMetadata else { return holdings.add(.items, name: item.typeName) }
    // Metadata that refers to nothing is assigned to the primary picture, unless that already has metadata of this
    // type.
    if described.isEmpty, !orphans.insert(item.typeName).inserted || describesPrimary(item.typeName)
    {
      return holdings.add(.items, name: item.typeName)
    }
    guard !described.isEmpty, !described.contains(where: pictures.contains) else { return }
    for owner in described.compactMap(graph.item) {
      switch owner.auxiliaryKind {
      case .depth, .matte: holdings.add(.auxiliaryMetadata)
      // Metadata on how to apply a map is kept together with the map.
      case .gainMap: break
      case .alpha, nil:
        let isMap = graph.referrers(to: owner.id, by: "dimg").contains {
          graph.item($0)?.type == "tmap"
        }
        let isThumbnail = !owner.targets("thmb").isEmpty
        if !isMap, !isThumbnail { holdings.add(.items, name: item.typeName) }
      }
    }
  }

  /// Returns whether metadata of a type refers to the primary picture.
  private func describesPrimary(_ typeName: String) -> Bool {
    guard let primary = graph.primaryID else { return false }
    return graph.referrers(to: primary, by: "cdsc").contains {
      graph.item($0)?.typeName == typeName
    }
  }

  private mutating func addProperties() {
    var seen: Set<Int> = []
    for item in graph.items {
      for property in item.properties where seen.insert(property.index).inserted {
        switch property.type {
        case "udes", "altt": holdings.add(.descriptions)
        case "lhvC": holdings.add(.layers)
        case "pasp" where property.located.box(PixelAspectRatio.self)?.isSquare ?? false: break
        case let type where Self.codingProperties.contains(type): break
        case let type: holdings.add(.properties, name: "\(type)")
        }
      }
    }
  }

  /// Properties that only concern the coding and the painting of a picture.
  private static let codingProperties: Set<FourCC> = [
    "hvcC", "avcC", "av1C", "vvcC", "evcC", "jpgC", "j2kH", "jxlC", "uncC", "cmpd", "cmpC", "icef",
    "cpat", "splz", "snuc", "cloc", "fpac", "oinf", "tols", "lsel", "a1op", "a1lx", "subs",
    "ispe", "pixi", "colr", "auxC", "clap", "irot", "imir", "iscl", "rloc", "rref", "free", "skip",
  ]

  /// Adds a box of the file.
  private mutating func add(_ node: LocatedNode) {
    if case .junk(let bytes, _) = node.node.content {
      let count = bytes.count
      if !bytes.isZero { holdings.add(.trailingBytes, count: count) }
      return
    }
    switch node.node.type {
    case "ftyp", "styp", "mini", "mdat", "free", "skip", "wide", "pdin", "sidx", "moof", "mfra":
      return
    case "meta":
      for child in node.children where !child.node.isJunk {
        guard !Self.itemBoxes.contains(child.node.type) else { continue }
        holdings.add(.boxes, name: "\(child.node.type)")
      }
    case "moov": holdings.add(.tracks, count: max(node.children(of: "trak").count, 1))
    case "mpvd":
      let isMovie = node.box(MotionVideo.self).map { MotionVideoKind.isMovie($0.video) } ?? false
      if isMovie {
        holdings.add(.motionVideo)
      } else {
        holdings.add(.boxes, name: "mpvd")
      }
    case "sefd": holdings.add(.samsungTrailer)
    case let type: holdings.add(.boxes, name: "\(type)")
    }
  }

  /// The boxes in `meta` that list and describe the items.
  private static let itemBoxes: Set<FourCC> = [
    "hdlr", "pitm", "iloc", "iinf", "iref", "iprp", "idat", "grpl", "dinf", "mdat", "free", "skip",
  ]

  /// Returns the extents of an item's data; none if they are unknown, which matters only to items derived from it.
  private func data(of item: Item) -> [Extent] {
    do { return try graph.data(of: item.id, in: file.tree.source) } catch { return [] }
  }

  /// The length of the longest common box header.
  private static let headerSize = 16

  /// Adds bytes that no item refers to: in media data between the items' data, and in free space, which should be
  /// empty. Zeros do not count, nor do fewer bytes than a box header.
  private mutating func addUnreferenced() {
    let boxes = file.tree.located
    // The data of tracks is unknown here, and a photo with tracks holds more than its picture in any case.
    guard !boxes.contains(where: { ["moov", "moof"].contains($0.node.type) }) else { return }
    let source = file.tree.source
    var rest = RangeSet<Int>()
    for node in (boxes + boxes.flatMap(\.children)).map(\.node) {
      guard !node.isJunk, ["mdat", "free", "skip", "wide"].contains(node.type) else { continue }
      if let range = node.body(in: source) { rest.insert(contentsOf: range) }
    }
    for item in graph.items {
      for extent in data(of: item) where extent.source as AnyObject === source as AnyObject {
        rest.remove(contentsOf: extent.range)
      }
    }
    let unknown = rest.ranges.reduce(0) { sum, range in
      range.count < Self.headerSize || Extent(source, range).isZero ? sum : sum + range.count
    }
    if unknown > 0 { holdings.add(.unreferencedBytes, count: unknown) }
  }
}

extension Node {
  /// The range of its body, if that is kept as it was read.
  fileprivate func body(in source: any ByteSource) -> Range<Int>? {
    guard let extent else { return nil }
    return min(extent.lowerBound + header.count, extent.upperBound)..<extent.upperBound
  }
}

extension Item {
  /// Whether the item is Exif, XMP or IPTC.
  fileprivate var isMetadata: Bool {
    switch (type, contentType) {
    case ("Exif", _), ("iptc", _), ("mime", "application/rdf+xml"), ("mime", "application/x-iptc"):
      true
    default: false
    }
  }

  fileprivate var typeName: String {
    type == "mime" && !contentType.isEmpty ? contentType : "\(type)"
  }
}

extension Extent {
  /// Whether the bytes are padding. Bytes that cannot be read, or that are too many, do not count as padding.
  var isZero: Bool {
    guard count <= 1 << 20, let bytes = try? bytes() else { return false }
    return bytes.allSatisfy { $0 == 0 }
  }
}
