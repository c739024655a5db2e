// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ISOBMFF

extension PhotoFile {
  /// The primary picture first, then all others in their own right in file order: not hidden, not an auxiliary picture,
  /// thumbnail or tile, not the input of another picture, and only the first of alternatives. In a file without picture
  /// items, the frames of its picture track.
  public var pictures: [PhotoPicture] {
    let items = pictureItems
    guard let first = items.first else { return framePictures }
    return [PhotoPicture(.item(first), isPrimary: true)]
      + items.dropFirst().map { PhotoPicture(.item($0)) }
  }

  /// All picture items in their own right, including alternatives, in file order. A primary picture that is hidden
  /// comes first.
  public var everyPicture: [PhotoPicture] {
    var items = graph.displayableItems
    guard let primary = pictureItems.first else { return [] }
    if !items.contains(primary) { items.insert(primary, at: 0) }
    return items.map { PhotoPicture(.item($0), isPrimary: $0 == primary) }
  }

  /// Returns the first of `pictures`; throws the reason if the file has none.
  public func primaryPicture() throws(SyntaxError) -> PhotoPicture {
    try checkLimits()
    if !salvaging { try damage.checkFile() }
    if let first = pictures.first { return first }
    let boxes = tree.located
    for type in ["meta", "moov", "mini"] as [FourCC] {
      guard let box = boxes.first(where: { $0.node.type == type }) else { continue }
      if case .opaque(_, .malformed(let error)) = box.node.content { throw error }
    }
    // An undamaged file may be of another kind, such as a movie.
    let kind: SyntaxError.Kind =
      tree.findings.contains { $0.severity == .error } ? .invalid : .unsupported
    let types = boxes.prefix(8).map(\.node.type.description).joined(separator: " ")
    guard !graph.items.isEmpty else {
      throw SyntaxError(
        kind, field: "file",
        detail: "has no picture items and no picture track, only the boxes \(types)")
    }
    let kinds = Set(graph.items.map(\.type.description)).sorted().joined(separator: " ")
    let meta = boxes.first { $0.node.type == "meta" }
    throw SyntaxError(
      kind, field: "meta", path: "meta", offset: meta?.node.start,
      detail: "has no picture among its items, which have the types \(kinds)")
  }

  private var pictureItems: [UInt32] {
    var masters = graph.displayableItems
    if let primary = graph.primaryID, graph.item(primary) != nil {
      masters = [primary] + masters.filter { $0 != primary }
    }
    return withoutAlternatives(masters)
  }

  private func withoutAlternatives(_ masters: [UInt32]) -> [UInt32] {
    var groups: [UInt32: [UInt32]] = [:]
    for group in graph.groups where group.type == "altr" {
      for id in group.entities { groups[id, default: []].append(group.id) }
    }
    var taken: Set<UInt32> = []
    return masters.filter { id in
      let own = groups[id] ?? []
      guard taken.isDisjoint(with: own) else { return false }
      taken.formUnion(own)
      return true
    }
  }
}

extension Item {
  /// Whether the item may be a picture, whatever its codec.
  var isPicture: Bool {
    switch type {
    case "Exif", "uri ", "iptc", "rgan", "mski": false
    case "mime": contentType == "image/jpeg"
    case "grid", "iovl", "iden", "tmap", "hvc1", "hev1", "lhv1", "avc1", "av01", "jpeg": true
    default: property(ImageSpatialExtents.self) != nil
    }
  }
}
