// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A fragment that is directly followed by its media data (`moof`): ISO/IEC 14496-12, 8.8.4 to 8.8.8.
struct MovieFragment: Sendable {
  let node: Node
  /// The size of the media data, in bytes.
  let size: Int

  init(_ pending: [PendingFragment], _ tracks: [NewTrack], sequenceNumber: UInt32)
    throws(SyntaxError)
  {
    var runs: [(track: Int, samples: ArraySlice<NewSample>)] = []
    for (index, fragment) in pending.enumerated() {
      var rest = fragment.complete
      while let first = rest.first {
        var run = rest.prefix { $0.entry == first.entry }
        // A gap that is too long for a duration is expressed by the next decoding time.
        if let gap = run.firstIndex(where: { ($0.duration ?? 0) > UInt32.max }) {
          run = run[...gap]
        }
        runs.append((index, run))
        rest = rest.dropFirst(run.count)
      }
    }
    // The size does not depend on the offsets in it.
    var offset = 0
    for _ in 0..<2 {
      let start = offset
      var next = start
      var boxes = [Self.header(sequenceNumber)]
      for run in runs {
        boxes.append(
          try Self.run(run.samples, of: run.track, pending[run.track], tracks[run.track], at: next))
        next += run.samples.reduce(0) { $0 + $1.payload.count }
      }
      let node = Node("moof", boxes)
      if start > 0 {
        self.node = node
        size = next - start
        return
      }
      let count = try node.size()
      offset = count + Node.mediaDataHeader(count: next).count
    }
    throw SyntaxError(.misuse, field: "moof", detail: "has no size")
  }

  private static func header(_ sequenceNumber: UInt32) -> Node {
    var header = MovieFragmentHeader()
    header.sequenceNumber = sequenceNumber
    return Node("mfhd", header)
  }

  private static func run(
    _ samples: ArraySlice<NewSample>, of track: Int, _ pending: PendingFragment, _ facts: NewTrack,
    at offset: Int
  ) throws(SyntaxError) -> Node {
    guard let first = samples.first, let dataOffset = Int32(exactly: offset) else {
      throw pending.refusal("data_offset", "of \(offset) needs more than 32 bits")
    }
    var time = TrackFragmentDecodeTime()
    time.baseMediaDecodeTime = try pending.mediaTime(of: first)
    var header = TrackFragmentHeader()
    header.trackID = UInt32(clamping: track + 1)
    header.header.flags |= 0x2
    header.sampleDescriptionIndex = UInt32(clamping: first.entry + 1)
    let run = try TrackRun(samples, pending, at: dataOffset, defaults: &header)
    let boxes = [Node("tfhd", header), Node("tfdt", time), Node("trun", run)]
    return Node("traf", boxes + groups(of: samples, facts.groupings))
  }

  /// Returns an `sbgp` for each grouping; the descriptions are in `moov`.
  private static func groups(of samples: ArraySlice<NewSample>, _ groupings: [SampleGrouping])
    -> [Node]
  {
    guard !groupings.isEmpty else { return [] }
    var numbers: [Range<Int>] = []
    for sample in samples {
      guard let number = sample.number, number >= numbers.last?.upperBound ?? 0, number < .max
      else { return [] }
      numbers.append(number..<number + 1)
    }
    return groupings.flatMap { $0.selected(numbers).nodes.filter { $0.type == "sbgp" } }
  }
}

extension TrackRun {
  /// Creates the box; values that all samples share go to `defaults`.
  fileprivate init(
    _ samples: ArraySlice<NewSample>, _ pending: PendingFragment, at dataOffset: Int32,
    defaults: inout TrackFragmentHeader
  ) throws(SyntaxError) {
    self.init()
    self.dataOffset = dataOffset
    sampleCount = UInt32(clamping: samples.count)
    let durations = samples.map { UInt32(clamping: $0.duration ?? 0) }
    let flags = samples.map { SampleFlags(isSync: $0.isSync) }
    var offsets: [Int64] = []
    for sample in samples { offsets.append(try pending.offset(of: sample)) }
    header.version = offsets.contains { $0 < 0 } ? 1 : 0
    header.flags = 0x201
    // In uncompressed sound each sample is a frame of a few bytes, the same for all.
    let sizes = samples.lazy.map(\.payload.count)
    if samples.count > 1, let first = sizes.first, sizes.allSatisfy({ $0 == first }),
      let size = UInt32(exactly: first)
    {
      header.flags = 0x1
      defaults.header.flags |= 0x10
      defaults.defaultSampleSize = size
    }
    if let first = durations.first, durations.allSatisfy({ $0 == first }) {
      defaults.header.flags |= 0x8
      defaults.defaultSampleDuration = first
    } else {
      header.flags |= 0x100
    }
    if let first = flags.first, flags.allSatisfy({ $0 == first }) {
      defaults.header.flags |= 0x20
      defaults.defaultSampleFlags = first
    } else {
      header.flags |= 0x400
    }
    if offsets.contains(where: { $0 != 0 }) { header.flags |= 0x800 }

    guard !columns.isEmpty else { return }
    var table = TableBuilder(columns, capacity: samples.count)
    for (index, sample) in samples.enumerated() {
      guard UInt32(exactly: sample.payload.count) != nil else {
        throw pending.refusal(
          "sample_size", "of \(sample.payload.count) bytes needs more than 32 bits")
      }
      var row: [Int64] = []
      if header.flags & 0x100 != 0 { row.append(Int64(durations[index])) }
      if header.flags & 0x200 != 0 { row.append(Int64(sample.payload.count)) }
      if header.flags & 0x400 != 0 { row.append(try flags[index].bits()) }
      if header.flags & 0x800 != 0 { row.append(offsets[index]) }
      table.append(row)
    }
    self.samples = table.table
  }
}

extension SampleFlags {
  fileprivate init(isSync: Bool) {
    self.init()
    sampleDependsOn = isSync ? 2 : 1
    sampleIsNonSyncSample = !isSync
  }

  /// Returns the flags as a value for a column of `trun`.
  fileprivate func bits() throws(SyntaxError) -> Int64 {
    Int64(bigEndianBytes: try encoded())
  }
}
