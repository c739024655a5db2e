// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The places in a movie that tell where it was recorded.
public struct LocationBoxes: Sendable {
  /// The boxes with a location: `©xyz` and `loci` of user data, and keyed values. The location ends with them.
  public private(set) var boxes: [LocatedNode] = []
  /// The paths of tracks whose samples may be locations.
  public private(set) var tracks: [String] = []

  /// Finds the boxes in the file's movie; empty if it has none.
  public init(_ tree: BoxTree) {
    for movie in tree.located where movie.node.type == "moov" {
      let holders = [movie] + movie.children(of: "trak")
      for holder in holders {
        let user = holder.child("udta")
        boxes += user?.children.filter { Self.types.contains($0.node.type) } ?? []
        for meta in [holder.child("meta"), user?.child("meta")].compactMap(\.self) { add(meta) }
      }
      for track in movie.children(of: "trak") {
        let entries = track.child("mdia", "minf", "stbl", "stsd")?.children ?? []
        if entries.contains(where: Self.describesLocation) { tracks.append(track.path) }
      }
    }
  }

  private static let types: Set<FourCC> = [FourCC(0xa978_797a), "loci"]

  /// Adds the values of a list whose keys are of a location.
  private mutating func add(_ meta: LocatedNode) {
    let keys = meta.box(at: "keys", as: MetadataKeys.self)?.entries ?? []
    for item in meta.child("ilst")?.children ?? [] {
      let number = Int(item.node.type.code)
      let isLocation =
        keys.indices.contains(number - 1) && Self.isLocation(keys[number - 1].value)
      if isLocation || Self.types.contains(item.node.type) { boxes.append(item) }
    }
  }

  private static func isLocation(_ key: [UInt8]) -> Bool {
    String(decoding: key, as: UTF8.self).lowercased().split(separator: ".").contains {
      $0.hasPrefix("location") || $0 == "gps"
    }
  }

  /// Returns whether the samples of a metadata track are locations, by the keys of its description.
  private static func describesLocation(_ entry: LocatedNode) -> Bool {
    guard entry.node.type == "mebx" else {
      return entry.node.type == "camm" || entry.node.type == "gpmd"
    }
    let keys = entry.child("keys")?.children ?? []
    return keys.contains { key in
      key.box(at: "keyd", as: MetadataKeyDeclaration.self).map { isLocation($0.value) } ?? false
    }
  }
}

extension LocationBoxes {
  /// Throws if there are tracks of locations, which are not removed.
  public func check() throws(EditError) {
    guard let track = tracks.first else { return }
    throw .refused(path: track, reason: "its samples are locations, which would have to be removed")
  }

  /// The bytes by which the boxes become free space of the same size, so that nothing moves.
  ///
  /// - Parameter offset: the offset of the movie in its file.
  public func blanks(at offset: Int = 0) -> [SplicedSource.Piece] {
    boxes.compactMap { located in
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
  /// Overwrites boxes with zeros, as free space of the same size, so that nothing moves.
  public mutating func blank(_ boxes: [LocatedNode]) throws(EditError) {
    for located in boxes {
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
}
