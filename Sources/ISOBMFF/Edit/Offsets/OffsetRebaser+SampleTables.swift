// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The location of a track's media data.
enum MediaPlace {
  /// The file itself, with offsets relative to its start.
  case here
  /// Another file, or a box that offsets are relative to.
  case elsewhere
}

extension OffsetRebaser {
  /// Rebases chunk offsets, which grow to 64 bits if 32 are no longer enough.
  mutating func rebased(_ box: ChunkOffsets, _ located: LocatedNode) throws(EditError) -> Node? {
    let rule = OffsetRule(map: map)
    let range = try check(box.entries, column: 0, rule, located.path)
    if range.highest > UInt32.max { wide.insert(located.path) }
    guard wide.contains(located.path) else {
      var box = box
      return range.changes
        ? node(located, &box) { $0.entries = rebased($0.entries, column: 0, rule) } : nil
    }
    var large = LargeChunkOffsets()
    large.header = box.header
    large.entries = rebased(box.entries, column: 0, rule, bits: 64)
    var node = located.node
    node.header.type = "co64"
    node.box = large
    return node
  }

  mutating func rebased(_ box: LargeChunkOffsets, _ located: LocatedNode) throws(EditError) -> Node?
  {
    let rule = OffsetRule(map: map)
    guard try check(box.entries, column: 0, rule, located.path).changes else { return nil }
    var box = box
    return node(located, &box) { $0.entries = rebased($0.entries, column: 0, rule) }
  }

  /// - Parameter base: the base of the offsets within a track fragment.
  mutating func rebased(
    _ box: SampleAuxiliaryOffsets, _ located: LocatedNode, _ base: (old: Int, new: Int)?
  ) throws(EditError) -> Node? {
    let rule = OffsetRule(map: map, oldBase: base?.old ?? 0, newBase: base?.new ?? 0)
    let range = try check(box.entries, column: 0, rule, located.path)
    if box.version == 0, range.highest > UInt32.max { wide.insert(located.path) }
    let grows = wide.contains(located.path)
    guard range.changes || grows else { return nil }
    var box = box
    return node(located, &box) {
      $0.entries = rebased($0.entries, column: 0, rule, bits: grows ? 64 : nil)
      if grows { $0.header.version = 1 }
    }
  }

  /// Determines whether the samples of a track are in this file (`dref`).
  func media(of track: LocatedNode) throws(EditError) -> MediaPlace {
    guard let minf = track.node.descendant("mdia", "minf"),
      let references = minf.descendant("dinf", "dref")?.children, !references.isEmpty
    else { return .here }
    var places: Set<MediaPlace> = []
    for entry in minf.descendant("stbl", "stsd")?.children ?? [] {
      guard let index = try dataReference(of: entry), references.indices.contains(index - 1) else {
        places.insert(.here)
        continue
      }
      places.insert(references[index - 1].isThisFile ? .here : .elsewhere)
    }
    guard places.count < 2 else {
      throw .offset(
        path: track.path,
        reason: "has samples in this file and in others, which is not followed yet")
    }
    return places.first ?? .here
  }

  private func dataReference(of entry: Node) throws(EditError) -> Int? {
    if let entry = entry.box as? any SampleEntry { return Int(entry.start.dataReferenceIndex) }
    guard case .opaque(let body, _) = entry.content, body.count >= 8 else { return nil }
    let bytes = try reading { () throws(SyntaxError) in try body.prefix(8).bytes() }
    return Int(bigEndianBytes: bytes[6..<8])
  }
}

extension Node {
  /// Whether a data reference is to the file that contains it.
  var isThisFile: Bool {
    switch box {
    case let box as DataEntryURL: box.flags & 1 == 1
    case let box as DataEntryURN: box.flags & 1 == 1
    case let box as MacintoshAlias: box.flags & 1 == 1
    default: false
    }
  }
}

// MARK: - Tables

extension OffsetRebaser {
  /// The change of a column of offsets.
  struct ColumnRange {
    var changes = false
    var highest: UInt64 = 0
  }

  /// Checks every offset; throws if one refers to nothing.
  func check(_ table: Table, column: Int, _ rule: OffsetRule, _ path: String)
    throws(EditError) -> ColumnRange
  {
    var range = ColumnRange()
    var (row, bad) = (0, nil as (row: Int, value: UInt64)?)
    func look(at value: UInt64) {
      defer { row += 1 }
      guard let new = rule.rebased(value) else {
        if bad == nil { bad = (row, value) }
        return
      }
      if new != value { range.changes = true }
      range.highest = max(range.highest, new)
    }
    try reading { () throws(SyntaxError) in
      if table.columns.count == 1, table.columns[0].bits == 32 {
        try table.scan32 { look(at: UInt64($0)) }
      } else {
        try table.scan { look(at: UInt64(bitPattern: $0[column])) }
      }
    }
    if let bad {
      let name = table.columns[column].name
      throw .offset(path: path, reason: "\(name) \(bad.row) \(rule.reason(for: bad.value))")
    }
    return range
  }

  /// Returns the table with its offsets rewritten on demand.
  func rebased(_ table: Table, column: Int, _ rule: OffsetRule, bits: Int? = nil) -> Table {
    var columns = table.columns
    if let bits { columns[column].bits = bits }
    return rebased(table, column: column, rule, columns: columns)
  }

  func rebased(_ table: Table, column: Int, _ rule: OffsetRule, columns: [Table.Column]) -> Table {
    let source = RebasedTable(table, column: column, columns: columns, rule)
    return Table(
      columns: columns, count: table.count, extent: Extent(source, 0..<source.count))
  }

  /// Returns the node with its box changed.
  func node<Body: Box>(_ located: LocatedNode, _ box: inout Body, _ change: (inout Body) -> Void)
    -> Node
  {
    change(&box)
    var node = located.node
    node.box = box
    return node
  }
}
