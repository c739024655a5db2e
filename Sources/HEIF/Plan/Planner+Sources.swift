// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ISOBMFF

extension Planner {
  /// Returns the canvas of a coded item: the picture in its stream, cropped to `ispe`.
  mutating func coded(_ item: Item, as role: Role) throws(SyntaxError) -> ItemLayout {
    let index = try addSource(of: item, as: role)
    let format = sources[index].format
    var size = (width: format.width, height: format.height)
    // A tile is used as decoded, because grids use the size of the coded picture.
    if !role.isTile, let extents = item.extents {
      size = (min(size.width, Int(extents.width)), min(size.height, Int(extents.height)))
    }
    var layout = ItemLayout(width: size.width, height: size.height)
    layout.pieces = [
      PlannedPiece(
        source: index, crop: layout.bounds, orientation: .upright, place: layout.bounds)
    ]
    compare(item, width: format.width, height: format.height)
    return layout
  }

  /// Reports an `ispe` that is missing or contradicts the picture.
  mutating func compare(_ item: Item, width: Int, height: Int) {
    guard let located = item.configuration(ImageSpatialExtents.self)?.located,
      let extents = located.box(ImageSpatialExtents.self)
    else {
      return report(item.finding(.warning, "ispe-missing", "has no size (ispe)"))
    }
    guard (Int(extents.width), Int(extents.height)) != (width, height) else { return }
    report(
      located.finding(
        .warning, "ispe-differs", of: item,
        "says \(extents.width) × \(extents.height), but the picture is \(width) × \(height)"))
  }

  /// Returns the index of an item's coded picture in `sources`, adding it if needed.
  private mutating func addSource(of item: Item, as role: Role) throws(SyntaxError) -> Int {
    if let known = sourcePlaces[item.id] { return known }
    let data = try data(of: item)
    let stream = try stream(of: item, data)
    guard let shape = stream.shape else {
      throw item.refusal(.invalid, "does not state the size and depth of its picture")
    }
    var samples: [[Extent]] = []
    let earlier = try predecessors(of: item)
    try budget.lay(1 + earlier.count, for: item)
    for id in earlier { samples.append(try predecessor(id, of: item)) }
    samples.append(try head(of: item, stream, dataCount: data.byteCount) + data)
    let area = try budget.area(
      UInt64(shape.format.width), UInt64(shape.format.height), of: item)
    try budget.decode(
      area, times: samples.count,
      bytes: samples.reduce(0) { $0 + $1.byteCount }, name: role.name(item.id),
      path: item.path, offset: item.offset)
    var source = PlannedSource(
      name: role.name(item.id), codec: stream.codec,
      configuration: stream.codec == .jpeg ? [] : stream.configuration,
      samples: samples, format: shape.format, colour: shape.colour, site: shape.site)
    source.item = item.id
    sources.append(source)
    sourcePlaces[item.id] = sources.count - 1
    return sources.count - 1
  }

  /// Returns the configuration that decoders need before the data of an item.
  private func head(of item: Item, _ stream: CodedStream, dataCount: Int) throws(SyntaxError)
    -> [Extent]
  {
    switch stream.codec {
    case .jpeg where !stream.configuration.isEmpty: [Extent(stream.configuration)]
    case .item: [Extent(try StandaloneItem(item: item).head(dataCount: dataCount))]
    default: []
    }
  }

  private mutating func data(of item: Item) throws(SyntaxError) -> [Extent] {
    let data = try items.data(of: item.id)
    guard !data.isEmpty || file.salvaging else { throw item.refusal(.truncated, "has no data") }
    return data
  }

  /// Returns the reference pictures of a picture, in decoding order (`pred`): ISO/IEC 23008-12, 6.4.9.
  private func predecessors(of item: Item) throws(SyntaxError) -> [UInt32] {
    var order: [UInt32] = []
    var found: Set<UInt32> = []
    var open: Set<UInt32> = [item.id]
    func visit(_ item: Item, _ depth: Int) throws(SyntaxError) {
      for id in item.targets("pred") where !found.contains(id) {
        guard let target = graph.item(id) else {
          throw item.refusal(.invalid, "is predicted from item \(id), which is not in the file")
        }
        guard open.insert(id).inserted, depth < 256 else {
          throw item.refusal(.invalid, "is predicted from item \(id), and vice versa")
        }
        try visit(target, depth + 1)
        open.remove(id)
        found.insert(id)
        order.append(id)
      }
    }
    try visit(item, 0)
    return order
  }

  private mutating func predecessor(_ id: UInt32, of item: Item) throws(SyntaxError) -> [Extent] {
    guard let target = graph.item(id), target.type == item.type else {
      throw item.refusal(
        .unsupported, "is predicted from item \(id), which is not coded as \(item.type)")
    }
    return try data(of: target)
  }
}

extension FourCC {
  /// Whether parameter sets in the samples may replace those of the record: ISO/IEC 14496-15, 8.4.1.
  var mayHoldSetsInSamples: Bool { ["hev1", "hev2", "hev3", "lhe1"].contains(self) }

  var isLayeredHEVC: Bool { self == "lhv1" || self == "lhe1" }
}

extension AV1Configuration {
  var chroma: Chroma {
    monochrome
      ? .monochrome : !chromaSubsamplingX ? .yuv444 : chromaSubsamplingY ? .yuv420 : .yuv422
  }
  var bitDepth: Int { highBitdepth ? twelveBit ? 12 : 10 : 8 }
}

extension Item {
  /// The property `ispe`, unless it is empty.
  var extents: ImageSpatialExtents? {
    property(ImageSpatialExtents.self).flatMap { $0.width > 0 && $0.height > 0 ? $0 : nil }
  }

  /// Returns the first property with a declaration, including its place.
  func configuration<B: Box>(_ type: B.Type) -> ItemProperty? {
    properties.first { $0.located.box(B.self) != nil }
  }

  /// Returns the format according to the item's properties alone.
  func shape(chroma: Chroma, bitDepth: Int) -> StreamShape? {
    extents.map {
      StreamShape(
        format: PictureFormat(
          width: Int($0.width), height: Int($0.height), chroma: chroma, bitDepth: bitDepth))
    }
  }

  /// Returns an error about a property that is required but missing or unreadable.
  func lacking(_ type: FourCC) -> SyntaxError {
    guard let property = properties.first(where: { $0.type == type }) else {
      return refusal(.invalid, "has no \(type)")
    }
    if case .opaque(_, .malformed(let error)) = property.located.node.content { return error }
    return property.located.refusal(.invalid, of: self, "cannot be read")
  }
}

extension LocatedNode {
  /// Runs a closure that reads the contents of this property, and adds the property's location to its errors.
  func reading<Result>(of item: Item, _ body: () throws(SyntaxError) -> Result)
    throws(SyntaxError) -> Result
  {
    do throws(SyntaxError) {
      return try body()
    } catch {
      throw refusal(error.kind, of: item, "cannot be used: \(error.message)")
    }
  }
}

extension [Extent] {
  var byteCount: Int { reduce(0) { $0 + $1.count } }

  /// Returns all bytes, or the first of them, in order.
  func bytes(upTo count: Int = .max) throws(SyntaxError) -> [UInt8] {
    if self.count == 1, self[0].count <= count { return try self[0].bytes() }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Swift.min(count, byteCount))
    for extent in self where bytes.count < count {
      bytes += try extent.prefix(count - bytes.count).bytes()
    }
    return bytes
  }
}
