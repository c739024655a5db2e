// SPDX-License-Identifier: MIT

internal import ApusBytes

extension OffsetRebaser {
  /// Rebases a movie fragment, whose runs begin at offsets relative to the fragment, to a base in `tfhd`, or to the end
  /// of the preceding data (ISO/IEC 14496-12, 8.8.7 and 8.8.8).
  mutating func rebasedFragment(_ located: LocatedNode) throws(EditError) -> Node? {
    guard let origin = located.node.origin, let start = map.place(of: origin.lowerBound),
      var fragment = located.node.box as? any ParentBox
    else { return nil }
    var reach = FragmentReach(moof: (origin.lowerBound, start))
    var changed = false
    for (index, child) in LocatedNode.locate(fragment.boxes, in: located).enumerated() {
      let node =
        child.node.type == "traf"
        ? try rebasedTrackFragment(child, &reach) : try rebased(child, Context())
      guard let node else { continue }
      fragment.boxes[index] = node
      changed = true
    }
    guard changed else { return nil }
    var node = located.node
    node.box = fragment
    return node
  }

  /// The end of a fragment's data, in the old file and in the new one.
  struct FragmentReach {
    var moof: (old: Int, new: Int)
    var end: (old: Int, new: Int)
    init(moof: (old: Int, new: Int)) {
      self.moof = moof
      end = moof
    }
  }

  private mutating func rebasedTrackFragment(_ located: LocatedNode, _ reach: inout FragmentReach)
    throws(EditError) -> Node?
  {
    guard var traf = located.node.box as? any ParentBox,
      let headerIndex = traf.boxes.firstIndex(where: { $0.box is TrackFragmentHeader }),
      var header = traf.boxes[headerIndex].box as? TrackFragmentHeader
    else { return try rebasedChildren(of: located, Context()) }
    let facts = facts(ofTrack: header.trackID)
    var changed = false
    var base = header.flags & 0x20000 != 0 ? reach.moof : reach.end
    if header.flags & 1 != 0 {
      let old = Int(clamping: header.baseDataOffset)
      base = (old, map.place(of: old) ?? old)
      if base.new != base.old {
        header.baseDataOffset = UInt64(base.new)
        traf.boxes[headerIndex].box = header
        changed = true
      }
    }
    let size = header.flags & 0x10 != 0 ? Int(header.defaultSampleSize) : facts.defaultSampleSize
    var runs = Runs(base: base, next: base, defaultSize: size)
    let context = Context(media: facts.media, base: base)
    for (index, child) in LocatedNode.locate(traf.boxes, in: located).enumerated()
    where index != headerIndex {
      let node: Node?
      if let run = child.node.box as? TrackRun, facts.media == .here {
        node = try rebased(run, child, &runs)
      } else {
        node = try rebased(child, context)
      }
      guard let node else { continue }
      traf.boxes[index] = node
      changed = true
    }
    reach.end = runs.next
    guard changed else { return nil }
    var node = located.node
    node.box = traf
    return node
  }

  /// The runs of one track fragment in sequence.
  private struct Runs {
    var base: (old: Int, new: Int)
    /// The offset of a run that does not state one.
    var next: (old: Int, new: Int)
    var defaultSize: Int
  }

  private func rebased(_ run: TrackRun, _ located: LocatedNode, _ runs: inout Runs)
    throws(EditError) -> Node?
  {
    let says = run.flags & 1 != 0
    let count = try bytes(of: try original(of: located) ?? run, runs.defaultSize)
    let newCount = try bytes(of: run, runs.defaultSize)
    guard let old = says ? sum(runs.base.old, Int(run.dataOffset)) : runs.next.old,
      let end = sum(old, count)
    else { throw .offset(path: located.path, reason: "lies beyond any file") }
    // A run without bytes refers to nothing.
    let place = count == 0 ? map.place(of: old) ?? runs.next.new : map.place(of: old..<end)
    guard let place else {
      throw .offset(path: located.path, reason: "data_offset \(map.reason(for: old..<end))")
    }
    let expected = runs.next.new
    guard let newEnd = sum(place, newCount) else {
      throw .offset(path: located.path, reason: "reaches beyond any file")
    }
    runs.next = (end, newEnd)
    guard says else {
      guard place == expected || count == 0 else {
        throw .offset(path: located.path, reason: "has no data_offset, but its data moved away")
      }
      return nil
    }
    guard let offset = Int32(exactly: place - runs.base.new) else {
      throw .offset(
        path: located.path, reason: "data_offset would be \(place - runs.base.new), beyond 32 bits")
    }
    guard offset != run.dataOffset, count > 0 else { return nil }
    var run = run
    return node(located, &run) { $0.dataOffset = offset }
  }

  /// Returns the original form of a run that was changed, which describes the old file.
  private func original(of located: LocatedNode) throws(EditError) -> TrackRun? {
    guard located.node.extent == nil, let origin = located.node.origin else { return nil }
    return try reading { () throws(SyntaxError) in
      var reader = SyntaxReader(source, range: origin)
      return try Node.read(from: &reader).box as? TrackRun
    }
  }

  /// Returns the number of bytes in the samples of a run.
  private func bytes(of run: TrackRun, _ defaultSize: Int) throws(EditError) -> Int {
    guard let column = run.samples.columns.firstIndex(where: { $0.name == "sample_size" }) else {
      let (count, overflow) = Int(run.sampleCount).multipliedReportingOverflow(by: defaultSize)
      return overflow ? .max : count
    }
    var total = 0
    try reading { () throws(SyntaxError) in try run.samples.scan { total += Int($0[column]) } }
    return total
  }
}

extension OffsetRebaser {
  /// Rebases random access points, which refer to fragments.
  mutating func rebased(_ box: TrackFragmentRandomAccess, _ located: LocatedNode)
    throws(EditError) -> Node?
  {
    let rule = OffsetRule(map: map)
    let range = try check(box.entries, column: 1, rule, located.path)
    if box.version == 0, range.highest > UInt32.max { wide.insert(located.path) }
    let grows = wide.contains(located.path)
    guard range.changes || grows else { return nil }
    var box = box
    return node(located, &box) {
      var columns = $0.entries.columns
      if grows {
        $0.header.version = 1
        columns[0].bits = 64
        columns[1].bits = 64
      }
      $0.entries = rebased($0.entries, column: 1, rule, columns: columns)
    }
  }

  /// Updates the size of the random access box, which its last child repeats.
  mutating func rebasedRandomAccess(_ located: LocatedNode, _ context: Context)
    throws(EditError) -> Node?
  {
    let rebased = try rebasedChildren(of: located, context)
    var node = rebased ?? located.node
    guard let origin = node.origin,
      let index = node.children.lastIndex(where: { $0.type == "mfro" }),
      var last = node.children[index].box as? FragmentRandomAccessOffset
    else { return rebased }
    let changed = node
    let size = try reading { () throws(SyntaxError) in try changed.size() }
    guard size != origin.count, Int(last.parentSize) == origin.count,
      let parentSize = UInt32(exactly: size)
    else { return rebased }
    last.parentSize = parentSize
    node.children[index].box = last
    return node
  }
}
