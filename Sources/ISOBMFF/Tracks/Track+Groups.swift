// SPDX-License-Identifier: MIT

public import ApusBytes

extension Track {
  /// Returns the groups of all samples, first those of the sample table, then those of the fragments.
  ///
  /// - Parameter count: the number of samples in the track, which limits the groups.
  public func groupings(of count: Int) throws(SyntaxError) -> [SampleGrouping] {
    var found: [SampleGrouping] = []
    let fragmented = fragments.reduce(0) { $0 + $1.fragment.sampleCount }
    let tabled = max(0, count - fragmented)
    if let table = sampleTable {
      try Self.add(table, from: 0, count: tabled, isFragment: false, to: &found)
    }
    var start = tabled
    for place in fragments {
      let samples = place.fragment.sampleCount
      try Self.add(
        place.fragment.located, from: start, count: min(samples, max(0, count - start)),
        isFragment: true, to: &found)
      start += samples
    }
    return found
  }

  private static func add(
    _ box: LocatedNode, from start: Int, count: Int, isFragment: Bool,
    to found: inout [SampleGrouping]
  ) throws(SyntaxError) {
    // The number of its first description among those of all fragments.
    var bases: [FourCC: UInt32] = [:]
    for child in box.children(of: "sgpd") {
      guard let description = child.box(SampleGroupDescription.self) else { continue }
      let type = description.groupingType
      let place = found.firstIndex { $0.type == type } ?? found.count
      if place == found.count { found.append(SampleGrouping(type)) }
      let known = found[place].description
      bases[type] = UInt32(clamping: known?.entries.count ?? 0)
      guard var joined = known else {
        found[place].description = description
        continue
      }
      // Descriptions without lengths cannot be joined, so the first are used.
      guard joined.version > 0, description.version > 0 else { continue }
      if joined.defaultLength != description.defaultLength { joined.defaultLength = 0 }
      joined.entries += description.entries
      found[place].description = joined
    }
    for child in box.children(of: "sbgp") {
      guard let groups = child.box(SampleToGroup.self) else { continue }
      let parameter = groups.version == 1 ? groups.groupingTypeParameter : nil
      let place = place(of: groups.groupingType, parameter, in: &found)
      pad(&found[place], to: start)
      var cursor = try groups.entries.cursor()
      var row: [Int64] = []
      var left = count
      while left > 0, try cursor.next(&row) {
        let taken = min(left, Int(row[0]))
        let group = UInt32(truncatingIfNeeded: row[1])
        found[place].append(taken, isFragment ? local(group, bases[groups.groupingType]) : group)
        left -= taken
      }
    }
    for child in box.children(of: "csgp") {
      guard let groups = child.box(CompactSampleToGroup.self) else { continue }
      let parameter = groups.flags & 0x40 != 0 ? groups.groupingTypeParameter : nil
      let place = place(of: groups.groupingType, parameter, in: &found)
      pad(&found[place], to: start)
      var left = count
      for (pattern, indices) in zip(groups.patterns, groups.indices) where !indices.isEmpty {
        let length = min(left, Int(pattern.sampleCount))
        for sample in 0..<length {
          let group = indices[sample % indices.count]
          found[place].append(1, isFragment ? local(group, bases[groups.groupingType]) : group)
        }
        left -= length
      }
    }
  }

  /// Translates a group number of a fragment. Numbers above 0x10000 refer to the fragment's own descriptions (8.9.4).
  private static func local(_ group: UInt32, _ base: UInt32?) -> UInt32 {
    group > 0x10000 ? group - 0x10000 + (base ?? 0) : group
  }

  private static func pad(_ grouping: inout SampleGrouping, to start: Int) {
    grouping.append(start - grouping.sampleCount, 0)
  }

  private static func place(
    of type: FourCC, _ parameter: UInt32?, in found: inout [SampleGrouping]
  ) -> Int {
    if let place = found.firstIndex(where: { $0.type == type && $0.parameter == parameter }) {
      return place
    }
    // A description came first, without a parameter.
    if let place = found.firstIndex(where: {
      $0.type == type && $0.parameter == nil && $0.runs.isEmpty
    }) {
      found[place].parameter = parameter
      return place
    }
    var grouping = SampleGrouping(type, parameter: parameter)
    grouping.description = found.first { $0.type == type }?.description
    found.append(grouping)
    return found.count - 1
  }
}
