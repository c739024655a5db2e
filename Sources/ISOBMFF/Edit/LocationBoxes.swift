// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The places in a movie, and in boxes next to it, that tell where it was recorded.
public struct LocationBoxes: Sendable {
  /// The boxes with a location: `©xyz` and `loci` of user data, and keyed values. The location ends with them.
  public private(set) var boxes: [LocatedNode] = []
  /// The boxes with XMP that tells a location, and packets of the same size that do not.
  public private(set) var packets: [(box: LocatedNode, packet: [UInt8])] = []
  /// The boxes that may tell a location and are not changed.
  private var obstacles: [(path: String, reason: String)] = []

  /// Finds the boxes; there are none in a file without a movie and without XMP in boxes of their own.
  ///
  /// - Parameter xmp: returns a packet without locations.
  public init(_ tree: BoxTree, xmp: ([UInt8]) -> [UInt8]) {
    for movie in tree.located where movie.node.type == "moov" {
      let holders = [movie] + movie.children(of: "trak")
      for holder in holders {
        let user = holder.child("udta")
        boxes += user?.children.filter { Self.types.contains($0.node.type) } ?? []
        for meta in [holder.child("meta"), user?.child("meta")].compactMap(\.self) { add(meta) }
      }
      for track in movie.children(of: "trak") {
        let entries = track.child("mdia", "minf", "stbl", "stsd")?.children ?? []
        if entries.contains(where: Self.describesLocation) {
          obstacles.append(
            (track.path, "its samples are locations, which would have to be removed"))
        }
      }
    }
    for located in tree.descriptions {
      if let packet = located.box(XMPPacket.self)?.packet {
        add(located, packet, without: xmp(packet))
      } else if let places = located.child("CMT4") {
        obstacles.append((places.path, "it may tell a location, and is not changed"))
      } else if located.node.box == nil, XMPPacket.isHeld(by: located.node) {
        obstacles.append((located.path, "it cannot be read, and may tell a location"))
      }
    }
  }

  private mutating func add(_ located: LocatedNode, _ old: [UInt8], without places: [UInt8]) {
    guard places != old else { return }
    // Blanks at the end, so that nothing moves.
    let rest = places.count <= old.count ? places : []
    let blanks = [UInt8](repeating: UInt8(ascii: " "), count: old.count - rest.count)
    packets.append((located, rest + blanks))
  }

  /// Whether nothing tells a location.
  public var isEmpty: Bool { boxes.isEmpty && packets.isEmpty }

  private static let types: Set<FourCC> = [FourCC(0xa978_797a), "loci"]

  /// Adds the values of a list whose keys are of a location.
  private mutating func add(_ meta: LocatedNode) {
    for (key, item) in meta.keyedItems {
      let isLocation = key.map(Self.isLocation) ?? false
      if isLocation || Self.types.contains(item.node.type) { boxes.append(item) }
    }
  }

  private static func isLocation(_ key: String) -> Bool {
    key.lowercased().split(separator: ".").contains { $0.hasPrefix("location") || $0 == "gps" }
  }

  /// Returns whether the samples of a metadata track are locations, by the keys of its description.
  private static func describesLocation(_ entry: LocatedNode) -> Bool {
    guard entry.node.type == "mebx" else {
      return entry.node.type == "camm" || entry.node.type == "gpmd"
    }
    let keys = entry.child("keys")?.children ?? []
    return keys.contains { key in
      key.box(at: "keyd", as: MetadataKeyDeclaration.self).map {
        isLocation(String(decoding: $0.value, as: UTF8.self))
      } ?? false
    }
  }
}

extension LocationBoxes {
  /// Returns those that are not in boxes that are removed anyway.
  public func without(_ removed: [LocatedNode]) -> LocationBoxes {
    var rest = self
    rest.boxes.removeAll { box in removed.contains { $0.isSame(as: box) } }
    rest.packets.removeAll { packet in removed.contains { $0.isSame(as: packet.box) } }
    return rest
  }

  /// Throws if something may tell a location that is not removed.
  public func check() throws(EditError) {
    guard let (path, reason) = obstacles.first else { return }
    throw .refused(path: path, reason: reason)
  }

  /// The bytes by which the boxes become free space and the packets lose their locations, so that nothing moves.
  ///
  /// - Parameter offset: the offset of the movie in its file.
  public func blanks(at offset: Int = 0) -> [SplicedSource.Piece] {
    let packets = packets.compactMap { located, packet -> SplicedSource.Piece? in
      guard let end = located.node.origin?.upperBound else { return nil }
      return .init(end + offset - packet.count..<end + offset, packet)
    }
    return packets
      + boxes.compactMap { located in
        guard let origin = located.node.origin, origin.count >= 8 else { return nil }
        let size: [UInt8] =
          located.node.header.form == .large ? UInt64(origin.count).bigEndianBytes : []
        let type = Array("free".utf8) + size
        // The size before the type stays.
        let range = origin.lowerBound + offset + 4..<origin.upperBound + offset
        return .init(range, type + Array(repeating: 0, count: range.count - type.count))
      }
  }
}

extension BoxEditor {
  /// Overwrites boxes with zeros, as free space of the same size, and packets with those without locations, so that
  /// nothing moves.
  public mutating func remove(_ locations: LocationBoxes) throws(EditError) {
    try removePackets(of: locations)
    for located in locations.boxes {
      guard let origin = located.node.origin else { continue }
      var header = located.node.header
      header.type = "free"
      var space = FreeSpace()
      space.data = Extent(Array(repeating: 0, count: max(origin.count - header.count, 0)))
      var node = Node(header: header, content: .typed(space, trailing: Node.Trailing()))
      node.origin = origin
      let free = node
      try change(located) { siblings, index in siblings[index] = free }
    }
  }

  /// Overwrites packets with those without locations.
  public mutating func removePackets(of locations: LocationBoxes) throws(EditError) {
    for (located, packet) in locations.packets {
      try change(located) { siblings, index in
        guard var box = siblings[index].box as? XMPPacket else { return }
        box.packet = packet
        siblings[index].box = box
      }
    }
  }
}

extension BoxTree {
  /// The boxes with XMP.
  public var packets: [LocatedNode] { descriptions.filter { $0.box(XMPPacket.self) != nil } }

  /// The boxes that may describe the file: outermost ones, and those in the movie and its user data.
  fileprivate var descriptions: [LocatedNode] {
    var found = located
    for movie in located where movie.node.type == "moov" {
      found += movie.children
      found += movie.child("udta")?.children ?? []
    }
    return found
  }
}
