// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFacts
internal import ApusMedia
internal import CApusMath
internal import HEIF
internal import HEVC
internal import ISOBMFF

/// Makes the drawing of a file's items: their relations, the sizes of tiles, the placement of the picture.
struct ItemReader {
  private(set) var drawing = ItemDrawing()
  private let graph: ItemGraph
  private let source: any ByteSource
  private let anchors: Set<String>

  /// The most items of one role that are drawn separately.
  private static let together = 4
  private static let most = 48

  /// - Parameter anchors: the elements of the page to which links are possible.
  init(_ graph: ItemGraph, in source: any ByteSource, anchors: Set<String>) {
    self.graph = graph
    self.source = source
    self.anchors = anchors
    addNodes()
    addGrids()
    addPlacement()
  }

  private func anchor(_ path: String) -> String? {
    let name = path.asIdentifier
    return anchors.contains(name) ? name : nil
  }

  func bytes(of id: UInt32) -> Int? {
    (try? graph.data(of: id, in: source))?.reduce(0) { $0 + $1.count }
  }

  /// Returns the role of an item.
  func role(of item: Item) -> String {
    if item.id == graph.primaryID { return "primary picture" }
    if !item.targets("thmb").isEmpty { return "thumbnail" }
    if !item.targets("auxl").isEmpty {
      return item.auxiliaryKind?.name ?? item.auxiliaryURN ?? "auxiliary picture"
    }
    switch item.type {
    case "Exif": return "Exif"
    case "mime": return item.contentType.isEmpty ? "metadata" : item.contentType
    case "uri ": return item.uriType.isEmpty ? "metadata" : item.uriType
    case "tmap": return "tone map"
    default: break
    }
    if !graph.referrers(to: item.id, by: "dimg").isEmpty {
      let parents = graph.referrers(to: item.id, by: "dimg").compactMap(graph.item)
      return parents.contains { $0.type == "grid" } ? "tile" : "input"
    }
    return item.isHidden ? "hidden picture" : "picture"
  }

  private mutating func addNodes() {
    // Items of one role that are inputs of the same item are drawn as one.
    var groups: [String: Int] = [:]
    var representatives: [UInt32: UInt32] = [:]
    var counts: [String: Int] = [:]
    let roles = graph.items.map { item -> (Item, String, String) in
      let role = role(of: item)
      let parent = graph.referrers(to: item.id, by: "dimg").first ?? 0
      return (item, role, "\(role) \(parent) \(item.type)")
    }
    for (_, _, key) in roles { counts[key, default: 0] += 1 }
    for (item, role, key) in roles {
      let isMany = (counts[key] ?? 0) > Self.together && item.id != graph.primaryID
      if isMany, let place = groups[key] {
        drawing.nodes[place].count += 1
        if let more = bytes(of: item.id) {
          drawing.nodes[place].bytes = (drawing.nodes[place].bytes ?? 0) + more
        }
        representatives[item.id] = drawing.nodes[place].id
        continue
      }
      guard drawing.nodes.count < Self.most else {
        drawing.omitted += 1
        continue
      }
      var node = ItemDrawing.Node(
        id: item.id, type: item.type.description, role: role, isHidden: item.isHidden)
      node.size = ItemGeometry(item).map { "\($0.width) × \($0.height)" }
      node.bytes = bytes(of: item.id)
      node.anchor = anchor(item.path)
      node.properties = item.properties.map { $0.type.description + ($0.isEssential ? "!" : "") }
      if isMany { groups[key] = drawing.nodes.count }
      representatives[item.id] = item.id
      drawing.nodes.append(node)
    }
    addEdges(representatives)
    layOut()
  }

  private mutating func addEdges(_ representatives: [UInt32: UInt32]) {
    struct Key: Hashable {
      var from: UInt32
      var to: UInt32
      var type: FourCC
    }
    var known: Set<Key> = []
    for reference in graph.references {
      guard let from = representatives[reference.from] else { continue }
      for target in reference.to {
        guard let to = representatives[target], from != to,
          known.insert(Key(from: from, to: to, type: reference.type)).inserted
        else { continue }
        drawing.edges.append(
          ItemDrawing.Edge(from: from, to: to, type: reference.type.description))
      }
    }
  }

  /// Moves the inputs and references of items one column further.
  private mutating func layOut() {
    let places = Dictionary(
      drawing.nodes.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    let inputs = drawing.edges.filter { $0.type == "dimg" || $0.type == "iloc" }
    for _ in 0..<6 {
      for edge in inputs {
        guard let from = places[edge.from], let to = places[edge.to] else { continue }
        let column = drawing.nodes[from].column + 1
        if drawing.nodes[to].column < column, column < 6 { drawing.nodes[to].column = column }
      }
    }
  }

  private mutating func addGrids() {
    for item in graph.items where item.type == "grid" && drawing.grids.count < 6 {
      guard let data = try? graph.data(of: item.id, in: source),
        data.reduce(0, { $0 + $1.count }) <= 64
      else { continue }
      var bytes: [UInt8] = []
      for extent in data { bytes += (try? extent.bytes()) ?? [] }
      var reader = SyntaxReader(MemorySource(bytes))
      var grid = ImageGrid()
      do throws(SyntaxError) { try grid.syntax(&reader) } catch { continue }
      let tiles = item.targets("dimg").prefix(grid.rows * grid.columns).map { id in
        ItemDrawing.TileMap.Tile(
          id: id, bytes: self.bytes(of: id), anchor: graph.item(id).flatMap { anchor($0.path) })
      }
      let first = item.targets("dimg").first.flatMap(graph.item)
      drawing.grids.append(
        ItemDrawing.TileMap(
          item: item.id, rows: grid.rows, columns: grid.columns, width: Int(grid.outputWidth),
          height: Int(grid.outputHeight), tiles: tiles,
          codec: first.map { Self.decoders[$0.type] ?? $0.type.description } ?? ""))
    }
  }

  /// The decoders of items by type.
  private static let decoders: [FourCC: String] = [
    "hvc1": "an HEVC decoder", "lhv1": "an HEVC decoder", "av01": "an AV1 decoder",
    "avc1": "an H.264 decoder", "j2k1": "a JPEG 2000 decoder", "jpeg": "a JPEG decoder",
    "unci": "no decoder: uncompressed samples", "vvc1": "a VVC decoder",
  ]

  private mutating func addPlacement() {
    guard let item = graph.primaryItem, let size = item.property(ImageSpatialExtents.self),
      let geometry = ItemGeometry(item), size.width > 0, size.height > 0
    else { return }
    var placement = ItemDrawing.Placement(
      width: Int(size.width), height: Int(size.height), rotation: geometry.rotation,
      isMirrored: geometry.isMirrored)
    if let clap = item.property(CleanAperture.self), let width = clap.width,
      let height = clap.height, clap.horizontalOffsetD > 0, clap.verticalOffsetD > 0
    {
      let across = Double(clap.horizontalOffsetN) / Double(clap.horizontalOffsetD)
      let down = Double(clap.verticalOffsetN) / Double(clap.verticalOffsetD)
      placement.crop = (
        across + (Double(size.width) - Double(width)) / 2,
        down + (Double(size.height) - Double(height)) / 2, Double(width), Double(height)
      )
    }
    if placement.crop == nil, placement.rotation == 0, !placement.isMirrored { return }
    drawing.placement = placement
  }

  /// Adds the effect of the gain map on a sample: ISO 21496-1, 5.2.
  mutating func addCurves(_ facts: GainMapFacts?) {
    guard let channels = facts?.parameters?.channels else { return }
    let names = channels.count == 1 ? ["all colours"] : ["red", "green", "blue"]
    for (name, channel) in zip(names, channels) where channel.gamma > 0 {
      let stops = (0...64).map { step -> Double in
        let share = pow(Double(step) / 64, 1 / channel.gamma)
        return channel.minimum + (channel.maximum - channel.minimum) * share
      }
      if stops.allSatisfy(\.isFinite) {
        drawing.curves.append(ItemDrawing.Curve(name: name, stops: stops))
      }
    }
  }
}
