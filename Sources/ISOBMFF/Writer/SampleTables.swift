// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The tables of a track whose samples are all known (`stbl`): ISO/IEC 14496-12, 8.5 to 8.7.
struct SampleTables {
  let ledger: SampleLedger
  let chunks: [ChunkPlan.Chunk]
  /// The offset of the media data; `nil` if the tables are only measured, because it does not affect their size.
  let base: Int?
  /// Whether offsets have 64 bits.
  let isLarge: Bool

  /// Returns `stbl`.
  func node(of track: NewTrack) -> Node {
    var description = SampleDescription()
    description.boxes = track.sampleEntries
    var nodes = [Node("stsd", description), durations]
    if ledger.leastOffset != ledger.greatestOffset { nodes.append(compositionOffsets) }
    if !ledger.isAllSync { nodes.append(syncSamples) }
    nodes.append(places)
    nodes.append(sizes)
    if let numbers = ledger.numbers {
      for grouping in track.groupings { nodes += grouping.selected(numbers).nodes }
    }
    return Node("stbl", nodes + [chunkOffsets])
  }

  private func builder(_ columns: [Table.Column], capacity: Int = 0) -> TableBuilder {
    TableBuilder(columns, capacity: capacity, isMeasured: base == nil)
  }

  private var chunkOffsets: Node {
    var table = builder(
      isLarge ? LargeChunkOffsets.columns : ChunkOffsets.columns, capacity: chunks.count)
    for chunk in chunks { table.append(Int64((base ?? 0) + chunk.offset)) }
    if isLarge {
      var box = LargeChunkOffsets()
      box.entries = table.table
      return Node("co64", box)
    }
    var box = ChunkOffsets()
    box.entries = table.table
    return Node("stco", box)
  }

  private var durations: Node {
    var table = builder(DecodingTimeToSample.columns)
    runs(by: \.singleDuration) { count, value in table.append(Int64(count), Int64(value)) }
    var box = DecodingTimeToSample()
    box.entries = table.table
    return Node("stts", box)
  }

  private var compositionOffsets: Node {
    let shift = ledger.shift
    var table = builder(CompositionTimeToSample.columns)
    runs(by: \.compositionOffset) { count, value in
      table.append(Int64(count), Int64(value) + shift)
    }
    var box = CompositionTimeToSample()
    box.entries = table.table
    return Node("ctts", box)
  }

  private var syncSamples: Node {
    var table = builder(SyncSamples.columns)
    for (index, sample) in ledger.samples.enumerated() where sample.isSync {
      table.append(Int64(index + 1))
    }
    var box = SyncSamples()
    box.entries = table.table
    return Node("stss", box)
  }

  private var sizes: Node {
    var box = SampleSizes()
    let count = ledger.samples.reduce(0) { $0 + Int($1.count) }
    box.sampleCount = UInt32(clamping: count)
    let first = ledger.samples.first.map { $0.size / UInt32($0.count) } ?? 0
    if first > 0, ledger.samples.allSatisfy({ $0.size / UInt32($0.count) == first }) {
      box.sampleSize = first
    } else {
      var table = builder(SampleSizes.columns, capacity: count)
      for sample in ledger.samples {
        for _ in 0..<sample.count { table.append(Int64(sample.size / UInt32(sample.count))) }
      }
      box.entries = table.table
    }
    return Node("stsz", box)
  }

  private var places: Node {
    var table = builder(SampleToChunk.columns)
    var last: (count: Int, entry: Int)?
    for (index, chunk) in chunks.enumerated() {
      let count = ledger.samples[chunk.samples].reduce(0) { $0 + Int($1.count) }
      if let last, last == (count, chunk.entry) { continue }
      table.append(Int64(index + 1), Int64(count), Int64(chunk.entry + 1))
      last = (count, chunk.entry)
    }
    var box = SampleToChunk()
    box.entries = table.table
    return Node("stsc", box)
  }

  /// Passes each value with the number of consecutive samples that have it.
  private func runs<Value: Equatable>(
    by value: (SampleLedger.Sample) -> Value, _ body: (Int, Value) -> Void
  ) {
    guard let first = ledger.samples.first else { return }
    var (current, count) = (value(first), 0)
    for sample in ledger.samples {
      let next = value(sample)
      if next != current {
        body(count, current)
        (current, count) = (next, 0)
      }
      count += Int(sample.count)
    }
    body(count, current)
  }
}
