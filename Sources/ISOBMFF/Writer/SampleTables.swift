// SPDX-License-Identifier: MIT

internal import Bytes

/// The tables of a track whose samples are all known (`stbl`): ISO/IEC 14496-12, 8.5 to 8.7.
enum SampleTables {
  /// `stbl` with the media data beginning at `base`.
  ///
  /// - Parameter isLarge: whether offsets have 64 bits.
  static func node(
    _ ledger: SampleLedger, _ chunks: [ChunkPlan.Chunk], _ track: NewTrack, base: Int,
    isLarge: Bool
  ) -> Node {
    var description = SampleDescription()
    description.boxes = track.sampleEntries
    var nodes = [Node("stsd", description), Self.durations(ledger)]
    if ledger.leastOffset != ledger.greatestOffset { nodes.append(Self.offsets(ledger)) }
    if !ledger.isAllSync { nodes.append(Self.syncSamples(ledger)) }
    nodes.append(Self.places(of: chunks, ledger))
    nodes.append(Self.sizes(ledger))
    if let numbers = ledger.numbers {
      for grouping in track.groupings { nodes += grouping.selected(numbers).nodes }
    }
    return Node("stbl", nodes + [Self.offsets(of: chunks, from: base, isLarge: isLarge)])
  }

  private static func offsets(of chunks: [ChunkPlan.Chunk], from base: Int, isLarge: Bool) -> Node {
    var table = TableBuilder(
      isLarge ? LargeChunkOffsets.columns : ChunkOffsets.columns, capacity: chunks.count)
    for chunk in chunks { table.append(Int64(base + chunk.offset)) }
    if isLarge {
      var box = LargeChunkOffsets()
      box.entries = table.table
      return Node("co64", box)
    }
    var box = ChunkOffsets()
    box.entries = table.table
    return Node("stco", box)
  }

  private static func durations(_ ledger: SampleLedger) -> Node {
    var table = TableBuilder(DecodingTimeToSample.columns)
    runs(of: ledger.samples, by: \.singleDuration) { count, value in
      table.append(Int64(count), Int64(value))
    }
    var box = DecodingTimeToSample()
    box.entries = table.table
    return Node("stts", box)
  }

  private static func offsets(_ ledger: SampleLedger) -> Node {
    let shift = ledger.shift
    var table = TableBuilder(CompositionTimeToSample.columns)
    runs(of: ledger.samples, by: \.compositionOffset) { count, value in
      table.append(Int64(count), Int64(value) + shift)
    }
    var box = CompositionTimeToSample()
    box.entries = table.table
    return Node("ctts", box)
  }

  private static func syncSamples(_ ledger: SampleLedger) -> Node {
    var table = TableBuilder(SyncSamples.columns)
    for (index, sample) in ledger.samples.enumerated() where sample.isSync {
      table.append(Int64(index + 1))
    }
    var box = SyncSamples()
    box.entries = table.table
    return Node("stss", box)
  }

  private static func sizes(_ ledger: SampleLedger) -> Node {
    var box = SampleSizes()
    let count = ledger.samples.reduce(0) { $0 + Int($1.count) }
    box.sampleCount = UInt32(clamping: count)
    let first = ledger.samples.first.map { $0.size / UInt32($0.count) } ?? 0
    if first > 0, ledger.samples.allSatisfy({ $0.size / UInt32($0.count) == first }) {
      box.sampleSize = first
    } else {
      var table = TableBuilder(SampleSizes.columns, capacity: count)
      for sample in ledger.samples {
        for _ in 0..<sample.count { table.append(Int64(sample.size / UInt32(sample.count))) }
      }
      box.entries = table.table
    }
    return Node("stsz", box)
  }

  private static func places(of chunks: [ChunkPlan.Chunk], _ ledger: SampleLedger) -> Node {
    var table = TableBuilder(SampleToChunk.columns)
    var last: (count: Int, entry: Int)?
    for (index, chunk) in chunks.enumerated() {
      let count = count(chunk, ledger)
      if let last, last == (count, chunk.entry) { continue }
      table.append(Int64(index + 1), Int64(count), Int64(chunk.entry + 1))
      last = (count, chunk.entry)
    }
    var box = SampleToChunk()
    box.entries = table.table
    return Node("stsc", box)
  }

  private static func count(_ chunk: ChunkPlan.Chunk, _ ledger: SampleLedger) -> Int {
    ledger.samples[chunk.samples].reduce(0) { $0 + Int($1.count) }
  }

  /// Hands over each value with how many samples in a row have it.
  private static func runs<Value: Equatable>(
    of samples: [SampleLedger.Sample], by value: (SampleLedger.Sample) -> Value,
    _ body: (Int, Value) -> Void
  ) {
    guard let first = samples.first else { return }
    var (current, count) = (value(first), 0)
    for sample in samples {
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
