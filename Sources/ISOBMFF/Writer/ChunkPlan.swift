// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia

/// The order of all tracks' samples in `mdat`: chunks of about the same duration, sorted by decoding time.
struct ChunkPlan: Sendable {
  struct Chunk: Sendable {
    var samples: Range<Int>
    /// The index of the sample entry, from 0.
    var entry: Int
    /// The offset from the start of the media data.
    var offset: Int
  }

  /// The chunks of each track.
  private(set) var chunks: [[Chunk]]
  /// The track of each chunk, in file order.
  private(set) var order: [UInt32] = []
  /// The size of all samples, in bytes.
  private(set) var size = 0

  private struct Position {
    var next = 0
    var run = 0
    var time: RationalTime
  }

  init(_ ledgers: [SampleLedger], timescales: [UInt32], duration: RationalTime) {
    chunks = ledgers.map { _ in [] }
    var positions = zip(ledgers, timescales).map {
      Position(time: RationalTime($0.firstDecodeTime, per: $1))
    }
    let durations = timescales.map { max(1, duration.rounded(to: $0) ?? 1) }
    var queue = TimeQueue()
    for (track, ledger) in ledgers.enumerated() where !ledger.isEmpty {
      queue.insert(track, at: positions[track].time)
    }
    while let track = queue.first {
      let ledger = ledgers[track]
      var position = positions[track]
      let first = position.next
      while position.run + 1 < ledger.entries.count, ledger.entries[position.run + 1].first <= first
      {
        position.run += 1
      }
      let last =
        position.run + 1 < ledger.entries.count
        ? ledger.entries[position.run + 1].first : ledger.samples.count
      let end = position.time.value + durations[track]
      let chunk = Chunk(
        samples: first..<first, entry: ledger.entries[position.run].value, offset: size)
      repeat {
        let sample = ledger.samples[position.next]
        position.time.value += Int64(sample.duration)
        position.next += 1
        size += Int(sample.size)
      } while position.next < last && position.time.value < end
      chunks[track].append(
        Chunk(samples: first..<position.next, entry: chunk.entry, offset: chunk.offset))
      order.append(UInt32(truncatingIfNeeded: track))
      positions[track] = position
      queue.replaceFirst(at: position.next < ledger.samples.count ? position.time : nil)
    }
  }
}
