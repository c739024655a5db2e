// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A walk over the samples of a sample table (`stbl`): ISO/IEC 14496-12, 8.6 and 8.7.
struct SampleTableCursor: Sendable {
  private let table: TablePlace
  private var sizes: Sizes
  private var chunks: Chunks
  private var durations: RunLengths
  private var offsets: RunLengths?
  private var syncs: Syncs?

  init(_ table: LocatedNode) throws(SyntaxError) {
    self.table = TablePlace(table)
    var fetch = TableFetch(table.node.extent)
    sizes = try Sizes(table, &fetch)
    chunks = try Chunks(table, &fetch)
    let times = try table.table("stts", DecodingTimeToSample.self)?.entries
    durations = RunLengths("stts", fetch.table(times ?? Table()))
    offsets = try table.table("ctts", CompositionTimeToSample.self).map {
      RunLengths("ctts", fetch.table($0.entries))
    }
    syncs = try table.table("stss", SyncSamples.self).map { Syncs(fetch.table($0.entries)) }
  }

  /// - Parameter most: the maximum number of equal samples in a run.
  mutating func next(_ index: Int, at decodeTime: Int64, upTo most: Int) throws(SyntaxError)
    -> SampleRun?
  {
    guard let size = try sizes.next() else { return nil }
    let place = try chunks.next(index, size: size, in: table)
    let duration = try durations.next(index, in: table)
    let offset = try offsets?.next(index, in: table).signedOffset ?? 0
    let isSync = try syncs?.contains(index, in: table) ?? true
    guard decodeTime <= 1 << 62 else {
      throw table.failure(of: "stts", "reaches beyond the time 2^62")
    }
    let first = TrackSample(
      index: index, offset: place.offset, size: size, decodeTime: decodeTime,
      compositionOffset: offset, duration: duration, isSync: isSync,
      descriptionIndex: place.description)
    guard most > 1, sizes.isConstant, syncs == nil else { return SampleRun(first: first, count: 1) }

    let shown = offsets.map { Int(clamping: $0.left) } ?? .max
    let alike = min(sizes.remaining, chunks.left, Int(clamping: durations.left), shown, most - 1)
    let reach = duration.multipliedReportingOverflow(by: Int64(alike))
    guard !reach.overflow, reach.partialValue <= 1 << 62 - decodeTime else {
      throw table.failure(of: "stts", "reaches beyond the time 2^62")
    }
    sizes.remaining -= alike
    try chunks.skip(alike, from: index + 1, size: size, in: table)
    durations.left -= Int64(alike)
    offsets?.left -= Int64(alike)
    return SampleRun(first: first, count: 1 + alike)
  }
}

extension SampleTableCursor {
  /// Returns descriptions of table entries beyond the last sample, as text.
  mutating func leftovers(after count: Int) throws(SyntaxError) -> [String] {
    guard count > 0 else { return [] }
    var found: [String] = []
    if try durations.hasMore() { found.append("stts has durations of more samples") }
    if try offsets?.hasMore() == true { found.append("ctts has offsets of more samples") }
    if try chunks.hasMore() { found.append("stsc and stco have places of more samples") }
    return found.map { "\($0) than the \(count) that there are" }
  }
}

extension Int64 {
  /// A composition offset of 32 bits. Version 0 declares it unsigned, but it is signed in QuickTime, and phones write
  /// negative values there; no sample is delayed by 2^31 ticks.
  var signedOffset: Int64 { Int64(Int32(truncatingIfNeeded: self)) }
}

/// The sizes of samples (`stsz`, `stz2`).
private struct Sizes: Sendable {
  private var cursor: TableCursor?
  private var constant = 0
  var remaining = 0
  private var row: [Int64] = []

  init(_ table: LocatedNode, _ fetch: inout TableFetch) throws(SyntaxError) {
    if let sizes = try table.table("stsz", SampleSizes.self) {
      constant = Int(sizes.sampleSize)
      remaining = Int(sizes.sampleCount)
      if constant == 1 { constant = try OldSound.frameSize(in: table) ?? 1 }
      if constant == 0 { cursor = try fetch.table(sizes.entries).cursor() }
    } else if let sizes = try table.table("stz2", CompactSampleSizes.self) {
      remaining = sizes.entries.count
      cursor = try fetch.table(sizes.entries).cursor()
    }
  }

  /// Whether all samples have the same size.
  var isConstant: Bool { cursor == nil }

  mutating func next() throws(SyntaxError) -> Int? {
    guard remaining > 0 else { return nil }
    remaining -= 1
    guard try cursor?.next(&row) ?? false else { return constant }
    return Int(row[0])
  }
}

/// The offsets of samples (`stsc`, `stco`, `co64`).
private struct Chunks: Sendable {
  private struct Run: Sendable {
    var first: Int64
    var samples: Int64
    var description: Int
  }

  private let offsetType: FourCC
  private let offsets: Table
  private let runs: Table
  private var offsetCursor: TableCursor?
  private var runCursor: TableCursor?
  /// The last row of each, which differ in length.
  private var offset: [Int64] = []
  private var row: [Int64] = []
  private var run: Run?
  private var following: Run?
  /// The number of the chunk, from 1.
  private var chunk: Int64 = 0
  private var samplesLeft: Int64 = 0
  private var position = 0

  init(_ table: LocatedNode, _ fetch: inout TableFetch) throws(SyntaxError) {
    if let large = try table.table("co64", LargeChunkOffsets.self) {
      (offsetType, offsets) = ("co64", fetch.table(large.entries))
    } else {
      let small = try table.table("stco", ChunkOffsets.self)
      (offsetType, offsets) = ("stco", fetch.table(small?.entries ?? Table()))
    }
    runs = fetch.table(try table.table("stsc", SampleToChunk.self)?.entries ?? Table())
  }

  mutating func next(_ index: Int, size: Int, in table: TablePlace) throws(SyntaxError) -> (
    offset: Int, description: Int
  ) {
    while samplesLeft == 0 { try nextChunk(index, in: table) }
    let start = position
    try skip(1, from: index, size: size, in: table)
    return (start, run?.description ?? 1)
  }

  /// The number of samples left in the chunk.
  var left: Int { Int(clamping: samplesLeft) }

  /// Skips samples of the chunk that have the same size.
  mutating func skip(_ count: Int, from index: Int, size: Int, in table: TablePlace)
    throws(SyntaxError)
  {
    samplesLeft -= Int64(count)
    let (bytes, isMuch) = size.multipliedReportingOverflow(by: count)
    let (end, isBeyond) = position.addingReportingOverflow(bytes)
    guard !isMuch, !isBeyond else {
      throw table.failure(of: offsetType, "places sample \(index + 1) beyond 2^63 bytes")
    }
    position = end
  }

  private mutating func nextChunk(_ index: Int, in table: TablePlace) throws(SyntaxError) {
    if offsetCursor == nil {
      offsetCursor = try offsets.cursor()
      runCursor = try runs.cursor()
      following = try nextRun()
      guard let following else {
        throw table.failure(of: "stsc", "says nothing of the chunk of sample \(index + 1)")
      }
      guard following.first == 1 else {
        throw table.failure(of: "stsc", "first_chunk is \(following.first) at first, allowed is 1")
      }
    }
    guard try offsetCursor?.next(&offset) ?? false else {
      throw table.failure(
        of: offsetType, "has \(offsets.count) chunks, which end before sample \(index + 1)")
    }
    guard let place = Int(exactly: UInt64(bitPattern: offset[0])) else {
      throw table.failure(of: offsetType, "chunk_offset of chunk \(chunk + 1) is beyond 2^63")
    }
    position = place
    chunk += 1
    if let next = following, next.first == chunk {
      run = next
      following = try nextRun()
      if let following, following.first <= next.first {
        throw table.failure(
          of: "stsc",
          "first_chunk is \(following.first) after \(next.first), allowed are greater ones")
      }
    }
    samplesLeft = run?.samples ?? 0
  }

  /// Returns whether there are offsets beyond the last sample.
  mutating func hasMore() throws(SyntaxError) -> Bool {
    if samplesLeft > 0 { return true }
    return try offsetCursor?.next(&offset) ?? false
  }

  private mutating func nextRun() throws(SyntaxError) -> Run? {
    guard try runCursor?.next(&row) ?? false else { return nil }
    return Run(first: row[0], samples: row[1], description: Int(row[2]))
  }
}

/// Values that apply to a number of samples each (`stts`, `ctts`).
private struct RunLengths: Sendable {
  private let type: FourCC
  private let entries: Table
  private var cursor: TableCursor?
  private var row: [Int64] = [0, 0]
  /// The number of samples left for the value.
  var left: Int64 = 0

  init(_ type: FourCC, _ entries: Table) {
    self.type = type
    self.entries = entries
  }

  mutating func next(_ index: Int, in table: TablePlace) throws(SyntaxError) -> Int64 {
    if cursor == nil { cursor = try entries.cursor() }
    while left == 0 {
      guard try cursor?.next(&row) ?? false else {
        throw table.failure(
          of: type, "has entries for \(index) samples, sample \(index + 1) has none")
      }
      left = row[0]
    }
    left -= 1
    return row[1]
  }
}

extension RunLengths {
  /// Returns whether there are values beyond the last sample.
  mutating func hasMore() throws(SyntaxError) -> Bool {
    if left > 0 { return true }
    while try cursor?.next(&row) ?? false {
      if row[0] > 0 { return true }
    }
    return false
  }
}

/// The numbers of sync samples (`stss`), from 1.
private struct Syncs: Sendable {
  private let entries: Table
  private var cursor: TableCursor?
  private var row: [Int64] = [0]

  init(_ entries: Table) { self.entries = entries }

  mutating func contains(_ index: Int, in table: TablePlace) throws(SyntaxError) -> Bool {
    if cursor == nil { cursor = try entries.cursor() }
    let number = Int64(index) + 1
    var previous = row[0]
    while previous < number, try cursor?.next(&row) ?? false {
      guard row[0] >= previous else {
        throw table.failure(
          of: "stss", "sample_number is \(row[0]) after \(previous), allowed are greater ones")
      }
      previous = row[0]
    }
    return row.first == number
  }
}

/// The table that an error is about. A class, so that it is not copied from sample to sample.
private final class TablePlace: Sendable {
  private let table: LocatedNode

  init(_ table: LocatedNode) { self.table = table }

  /// Returns an error about a child, or about the table if there is no such child.
  func failure(of type: FourCC, _ detail: String) -> SyntaxError {
    guard let child = table.child(type) else {
      return table.failure("\(type) is missing: it \(detail)")
    }
    return child.failure("\(type) \(detail)")
  }
}
