// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import HEVC
internal import ISOBMFF

extension ItemGraphCheck {
  /// Checks that properties are known, and belong to an item.
  mutating func checkProperties() {
    for (index, property) in graph.properties.enumerated() {
      let type = property.node.type
      guard !property.node.isJunk, !["free", "skip"].contains(type) else { continue }
      let used = users[index + 1]?.first
      if case .opaque(_, .unknown) = property.node.content, type != "uuid" {
        // An unprintable type was a size or a value.
        let isStray = !type.isPrintable
        report(
          "property-unknown", at: property,
          (used.map { "\(type) of \($0.title)" } ?? "\(type)")
            + " is an unknown property",
          reaches: isStray ? .file : .nothing)
      } else if used == nil {
        report("property-unused", at: property, "\(type) belongs to no item")
      }
    }
  }

  /// Compares the bit depths of pictures (`pixi`) with those of their decoder configurations.
  mutating func checkDepths() {
    var reported: Set<Int> = []
    for item in graph.items where ["hvc1", "av01"].contains(item.type) {
      guard let place = item.properties.first(where: { $0.type == "pixi" })?.located,
        let pixels = place.box(PixelInformation.self)
      else { continue }
      var depth: UInt8?
      for property in item.properties {
        switch property.located.node.box {
        case let hevc as HEVCConfiguration: depth = hevc.record.bitDepthLumaMinus8 + 8
        case let av1 as AV1Configuration: depth = av1.twelveBit ? 12 : av1.highBitdepth ? 10 : 8
        default: break
        }
      }
      guard let depth, let other = pixels.bitsPerChannel.first(where: { $0 != depth }),
        reported.insert(place.node.start).inserted
      else { continue }
      report(
        "pixi-differs", at: place,
        "pixi of \(item.title) says \(other) bits, its decoder configuration \(depth)")
    }
  }

  /// Properties of which an item has at most one.
  private static let single: Set<FourCC> = ["ispe", "pixi", "auxC", "hvcC", "avcC", "av1C"]

  /// Checks that `ipma` refers to existing items and properties.
  mutating func checkAssociations() {
    let groups = Set(graph.groups.map(\.id))
    var known: Set<UInt32> = []
    for box in meta.child("iprp")?.children(of: "ipma") ?? [] {
      guard let associations = box.box(ItemPropertyAssociations.self) else { continue }
      var offset = box.node.start + box.node.header.count + 8
      for entry in associations.entries {
        let isWide = associations.flags & 1 == 1
        let place = offset
        offset += (associations.version == 0 ? 3 : 5) + entry.associations.count * (isWide ? 2 : 1)
        guard graph.item(entry.itemID) != nil || groups.contains(entry.itemID) else {
          report(
            "association-dangling", at: box.path, place,
            "assigns properties to item \(entry.itemID), which is not in the file", reaches: .file)
          continue
        }
        if !known.insert(entry.itemID).inserted {
          report(
            "association-twice", at: box.path, place,
            "assigns properties to item \(entry.itemID) a second time")
        }
        check(entry, at: box.path, place)
      }
    }
  }

  private mutating func check(
    _ entry: ItemPropertyAssociations.Entry, at path: String, _ offset: Int
  ) {
    var types: Set<FourCC> = []
    for association in entry.associations where association.propertyIndex > 0 {
      let index = Int(association.propertyIndex)
      guard index <= graph.properties.count else {
        report(
          "association-dangling", at: path, offset,
          "assigns property \(index) to item \(entry.itemID), but ipco has \(graph.properties.count)",
          reaches: association.isEssential ? .items([entry.itemID]) : .nothing)
        continue
      }
      let type = graph.properties[index - 1].node.type
      if Self.single.contains(type), !types.insert(type).inserted {
        report(
          "association-twice", at: path, offset, "assigns two \(type) to item \(entry.itemID)")
      }
    }
  }
}
