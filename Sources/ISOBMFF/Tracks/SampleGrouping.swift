// SPDX-License-Identifier: MIT

public import ApusBytes

/// The groups of a track's samples for one grouping type (`sbgp`, `sgpd`): ISO/IEC 14496-12, 8.9.
public struct SampleGrouping: Sendable {
  /// Consecutive samples in one group; number 0 means no group.
  public struct Run: Hashable, Sendable {
    /// The number of samples.
    public var count: Int
    /// The number of the group, from 1; 0 for no group.
    public var group: UInt32

    /// Creates a run of samples.
    public init(count: Int, group: UInt32) {
      self.count = count
      self.group = group
    }
  }

  /// The grouping type, such as `roll`.
  public var type: FourCC
  /// The value of `grouping_type_parameter`, if the box has one.
  public var parameter: UInt32?
  /// The descriptions of the groups, counted from 1; `nil` if the file has none.
  public var description: SampleGroupDescription?
  /// The runs, beginning with the first sample of the track; samples after the last run belong to no group.
  public var runs: [Run] = []

  /// Creates a grouping without samples.
  public init(_ type: FourCC, parameter: UInt32? = nil) {
    self.type = type
    self.parameter = parameter
  }

  /// The number of samples in all runs.
  var sampleCount: Int { runs.reduce(0) { $0 + $1.count } }

  mutating func append(_ count: Int, _ group: UInt32) {
    guard count > 0 else { return }
    if runs.last?.group == group {
      runs[runs.count - 1].count += count
    } else {
      runs.append(Run(count: count, group: group))
    }
  }

  /// Returns the groups of only the remaining samples, given by their indices in ascending order.
  func selected(_ numbers: [Range<Int>]) -> SampleGrouping {
    var result = self
    result.runs = []
    var (run, start) = (0, 0)
    for range in numbers {
      var next = range.lowerBound
      while next < range.upperBound {
        while run < runs.count, start + runs[run].count <= next {
          start += runs[run].count
          run += 1
        }
        let end =
          run < runs.count ? min(range.upperBound, start + runs[run].count) : range.upperBound
        result.append(end - next, run < runs.count ? runs[run].group : 0)
        next = end
      }
    }
    if result.runs.last?.group == 0 { result.runs.removeLast() }
    return result
  }

  /// The boxes `sgpd` and `sbgp`; empty if no sample is in a group.
  var nodes: [Node] {
    guard !runs.isEmpty || (description?.defaultGroupDescriptionIndex ?? 0) != 0 else { return [] }
    var table = TableBuilder(SampleToGroup.columns)
    for run in runs { table.append(Int64(run.count), Int64(run.group)) }
    var box = SampleToGroup()
    box.groupingType = type
    if let parameter {
      box.header.version = 1
      box.groupingTypeParameter = parameter
    }
    box.entries = table.table
    return (description.map { [Node("sgpd", $0)] } ?? []) + [Node("sbgp", box)]
  }
}
