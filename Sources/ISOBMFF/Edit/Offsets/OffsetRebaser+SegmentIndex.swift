// SPDX-License-Identifier: MIT

internal import ApusBytes

extension OffsetRebaser {
  /// Rebases a segment index: the parts that it refers to are contiguous and follow it at some distance, and each
  /// reference states the length of its part (ISO/IEC 14496-12, 8.16.3). Data inserted between two parts belongs to the
  /// first.
  mutating func rebased(_ box: SegmentIndex, _ located: LocatedNode) throws(EditError) -> Node? {
    indexed = []
    guard let origin = located.node.origin, let start = map.place(of: origin.lowerBound),
      box.references.count > 0
    else { return nil }
    var box = box
    if wide.contains(located.path) { box.header.version = 1 }
    var rows = try rows(of: box.references)
    guard let first = Int(exactly: box.firstOffset).flatMap({ sum(origin.upperBound, $0) }) else {
      throw .offset(path: located.path, reason: "first_offset lies beyond any file")
    }
    // This index describes a segment in another file.
    guard first < map.oldCount else { return nil }

    var next = first
    let sizes = try rows.enumerated().map { index, row throws(EditError) in
      let end = next + Int(row[1])
      indexed.append(next)
      defer { next = end }
      guard end <= map.oldCount else {
        throw .offset(
          path: located.path, reason: "reference \(index) \(map.reason(for: next..<end))")
      }
      let isLast = index == rows.count - 1
      let size = (isLast ? map.end(end) : map.boundary(end)) - map.boundary(next)
      guard size >= 0, size > 0 || end == next, size < 1 << 31 else {
        throw .offset(
          path: located.path,
          reason: size > 0
            ? "reference \(index) would have \(size) bytes, beyond 31 bits"
            : "reference \(index) refers to bytes \(next) to \(end - 1), which are gone")
      }
      return Int64(size)
    }
    let changed = located.node
    let size = try reading { [box] () throws(SyntaxError) in
      var node = changed
      node.box = box
      return try node.size()
    }
    let firstOffset = map.boundary(first) - start - size
    guard firstOffset >= 0 else {
      throw .offset(path: located.path, reason: "what it refers to would no longer come after it")
    }
    if box.version == 0, firstOffset > UInt32.max { wide.insert(located.path) }
    guard
      sizes != rows.map({ $0[1] }) || UInt64(firstOffset) != box.firstOffset
        || wide.contains(located.path)
    else { return nil }
    for index in rows.indices { rows[index][1] = sizes[index] }
    let (columns, values) = (box.references.columns, rows)
    let table = try reading { () throws(SyntaxError) in
      try Table(columns: columns, rows: values)
    }
    return node(located, &box) {
      if wide.contains(located.path) { $0.header.version = 1 }
      $0.firstOffset = UInt64(firstOffset)
      $0.references = table
    }
  }

  /// Rebases the ranges of the parts in the preceding segment index (ISO/IEC 14496-12, 8.16.4).
  func rebased(_ box: SubsegmentIndex, _ located: LocatedNode) throws(EditError) -> Node? {
    guard !indexed.isEmpty else { return nil }
    guard box.subsegments.count <= indexed.count else {
      throw .offset(path: located.path, reason: "has more parts than the segment index before it")
    }
    var new = box
    var changed = false
    for (index, subsegment) in box.subsegments.enumerated() {
      var rows = try rows(of: subsegment.ranges)
      var next = indexed[index]
      for row in rows.indices {
        let end = next + Int(rows[row][1])
        let isLast = row == rows.count - 1
        let size = (isLast ? map.end(end) : map.boundary(end)) - map.boundary(next)
        next = end
        guard (0..<1 << 24).contains(size) else {
          throw .offset(
            path: located.path, reason: "a range would have \(size) bytes, beyond 24 bits")
        }
        changed = changed || rows[row][1] != Int64(size)
        rows[row][1] = Int64(size)
      }
      let (columns, values) = (subsegment.ranges.columns, rows)
      new.subsegments[index].ranges = try reading { () throws(SyntaxError) in
        try Table(columns: columns, rows: values)
      }
    }
    return changed ? node(located, &new) { _ in } : nil
  }

  private func rows(of table: Table) throws(EditError) -> [[Int64]] {
    var rows: [[Int64]] = []
    try reading { () throws(SyntaxError) in
      try table.scan { row in rows.append(row.indices.map { row[$0] }) }
    }
    return rows
  }
}
