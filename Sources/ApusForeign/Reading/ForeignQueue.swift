// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples

/// Sorts the samples of several tracks by decoding time.
struct ForeignQueue: Sendable {
  private var tracks: [Queue<ForeignTrack.Ready>]
  /// For each track, whether the others wait for it.
  private let leading: [Bool]
  private var bytes = 0
  private var last: RationalTime?

  /// The most bytes and the longest time that wait for a track that lags behind.
  private static let room = 32 << 20
  private static let patience = RationalTime(10, per: 1)

  init(leading: [Bool]) {
    self.leading = leading
    tracks = Array(repeating: Queue(), count: leading.count)
  }

  mutating func add(_ ready: ForeignTrack.Ready) {
    bytes += ready.sample.payload.count
    tracks[ready.sample.track].append(ready)
    last = ready.sample.decodeTime
  }

  /// Returns the first sample of all, once nothing earlier can come, or all have come.
  mutating func next(isOver: Bool) -> ForeignTrack.Ready? {
    var earliest: (index: Int, ready: ForeignTrack.Ready)?
    var isWhole = true
    for index in tracks.indices {
      guard let ready = tracks[index].first else {
        if leading[index] { isWhole = false }
        continue
      }
      if let earliest, !ready.sample.decodeTime.isBefore(earliest.ready.sample.decodeTime) {
        continue
      }
      earliest = (index, ready)
    }
    guard let (index, ready) = earliest,
      isWhole || isOver || isFull(since: ready.sample.decodeTime)
    else { return nil }
    bytes -= ready.sample.payload.count
    return tracks[index].removeFirst()
  }

  private func isFull(since time: RationalTime) -> Bool {
    guard bytes <= Self.room else { return true }
    return last.map { !$0.isBefore(time, plus: Self.patience) } ?? false
  }

  /// The earliest presentation time of the waiting samples.
  var start: RationalTime? {
    var result: RationalTime?
    for ready in tracks.lazy.flatMap(\.all) {
      let time = ready.sample.presentationTime
      if result.map({ time.isBefore($0) }) ?? true { result = time }
    }
    return result
  }
}
