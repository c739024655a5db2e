// SPDX-License-Identifier: MIT

internal import ApusBytes

/// Rewrites every offset into the file after the boxes have their new positions.
struct OffsetRebaser {
  let map: OffsetMap
  let source: any ByteSource
  /// The paths of boxes whose offsets no longer fit their fields. Boxes are never removed from the set, so that
  /// positions and widths converge.
  var wide: Set<String>
  /// The offsets, in the old file, of the parts in the last segment index.
  var indexed: [Int] = []
  private var tracks: [UInt32: TrackFacts] = [:]

  /// The surroundings of a box that affect its offsets.
  struct Context {
    /// The location of the track's media data.
    var media = MediaPlace.here
    /// The base of offsets in a track fragment.
    var base: (old: Int, new: Int)?
    var meta: Node?
  }

  /// The properties of a track that its fragments depend on.
  struct TrackFacts {
    var media = MediaPlace.here
    var defaultSampleSize = 0
  }

  init(_ map: OffsetMap, from source: any ByteSource, wide: Set<String>) {
    self.map = map
    self.source = source
    self.wide = wide
  }

  /// Returns the boxes with updated offsets, and with wider fields where needed.
  static func rebased(_ boxes: [Node], from source: any ByteSource) throws(EditError) -> [Node] {
    var wide: Set<String> = []
    var result = boxes
    // The last round finds boxes that are rewritten already, so references into them would see other bytes.
    var isLast = false
    while true {
      let placed = result
      let map = try reading { () throws(SyntaxError) in
        try PlacementSink.map(of: placed, from: source)
      }
      var rebaser = OffsetRebaser(map, from: source, wide: wide)
      result = boxes
      try rebaser.rebase(&result)
      try result.settle()
      if rebaser.wide == wide, isLast { return result }
      isLast = rebaser.wide == wide
      wide = rebaser.wide
    }
  }

  private mutating func rebase(_ boxes: inout [Node]) throws(EditError) {
    for movie in boxes where movie.type == "moov" { try gather(movie) }
    _ = try rebase(&boxes, Context())
  }

  /// - Returns: `true` if one of the boxes changed.
  mutating func rebase(
    _ nodes: inout [Node], in parent: LocatedNode? = nil, _ context: Context
  ) throws(EditError) -> Bool {
    var changed = false
    for (index, located) in LocatedNode.locate(nodes, in: parent).enumerated() {
      guard let node = try rebased(located, context) else { continue }
      nodes[index] = node
      changed = true
    }
    return changed
  }

  /// Returns the box with its offsets rewritten, including those in its children; `nil` if none changed.
  mutating func rebased(_ located: LocatedNode, _ context: Context) throws(EditError) -> Node? {
    let node = located.node
    guard let box = node.box else {
      try refuseUnreadable(located)
      return nil
    }
    var context = context
    switch box {
    case let box as ChunkOffsets:
      return context.media == .here ? try rebased(box, located) : nil
    case let box as LargeChunkOffsets:
      return context.media == .here ? try rebased(box, located) : nil
    case let box as SampleAuxiliaryOffsets:
      return context.media == .here ? try rebased(box, located, context.base) : nil
    case let box as ItemLocation: return try rebased(box, located, context.meta)
    case let box as SegmentIndex: return try rebased(box, located)
    case let box as SubsegmentIndex: return try rebased(box, located)
    case let box as TrackFragmentRandomAccess: return try rebased(box, located)
    // Sizes as well, of boxes that Canon does not document.
    case is CanonOffsets:
      throw .offset(path: located.path, reason: "holds offsets and sizes that cannot follow")
    case is Metadata: context.meta = node
    default: break
    }
    switch node.type {
    case "moof": return try rebasedFragment(located)
    case "mfra": return try rebasedRandomAccess(located, context)
    case "trak": context.media = try media(of: located)
    default: break
    }
    return try rebasedChildren(of: located, context)
  }

  mutating func rebasedChildren(of located: LocatedNode, _ context: Context)
    throws(EditError) -> Node?
  {
    guard var parent = located.node.box as? any ParentBox else { return nil }
    guard try rebase(&parent.boxes, in: located, context) else { return nil }
    var node = located.node
    node.box = parent
    return node
  }

  /// Throws for a box whose offsets could not be read, because it is unknown what they refer to.
  private func refuseUnreadable(_ located: LocatedNode) throws(EditError) {
    guard case .opaque(_, let reason) = located.node.content else { return }
    let isKnown: Bool
    switch reason {
    case .unknown: isKnown = located.node.type == "cmov"
    case .malformed, .notCanonical:
      isKnown = Self.holders.contains(located.node.type)
    }
    guard isKnown, located.node.origin != nil else { return }
    throw .offset(
      path: located.path, reason: "may hold offsets, which cannot follow since it cannot be read")
  }

  /// Boxes with offsets, and boxes that may contain such boxes.
  private static let holders: Set<FourCC> = [
    "moov", "trak", "mdia", "minf", "stbl", "udta", "meta", "meco", "moof", "traf", "mfra",
    "stco", "co64", "saio", "iloc", "sidx", "ssix", "tfra", "tfhd", "trun", "mfro", "CTBO",
  ]

  private mutating func gather(_ movie: Node) throws(EditError) {
    for track in LocatedNode(movie).children(of: "trak") {
      guard let header = track.node.descendant("tkhd")?.box as? TrackHeader else { continue }
      let media = try media(of: track)
      tracks[header.trackID, default: TrackFacts()].media = media
    }
    for node in movie.descendant("mvex")?.children ?? [] {
      guard let extends = node.box as? TrackExtends else { continue }
      tracks[extends.trackID, default: TrackFacts()].defaultSampleSize =
        Int(extends.defaultSampleSize)
    }
  }

  func facts(ofTrack id: UInt32) -> TrackFacts { tracks[id] ?? TrackFacts() }
}

extension [Node] {
  /// Gives changed boxes headers with the right size: wrong sizes are corrected, sizes beyond 32 bits become 64 bits
  /// wide, and only the last box may extend to the end of the file.
  mutating func settle() throws(EditError) {
    for index in indices where !self[index].isJunk {
      if self[index].extent == nil, !self[index].children.isEmpty {
        var children = self[index].children
        try children.settle()
        self[index].children = children
      }
      let (node, isLast) = (self[index], index == endIndex - 1)
      let size = try reading { () throws(SyntaxError) in try node.size() }
      var header = node.header
      if let declared = header.declaredSize,
        node.extent == nil && size != node.origin?.count || !isLast && declared > UInt64(size)
      {
        header.declaredSize = nil
      }
      if header.form == .toEnd, !isLast { header.form = .compact }
      if header.form == .compact, header.declaredSize == nil, size > UInt32.max {
        header.form = .large
      }
      if header != node.header { self[index].header = header }
    }
  }
}

extension Node {
  /// Returns the first descendant at a path of types.
  func descendant(_ types: FourCC...) -> Node? {
    var node: Node? = self
    for type in types { node = node?.children.first { $0.type == type } }
    return node
  }
}
