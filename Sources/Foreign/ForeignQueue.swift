// SPDX-License-Identifier: MIT

internal import Bytes
internal import Flow
internal import Media

/// Brings the samples of several tracks into the order of their decoding.
struct ForeignQueue: Sendable {
  private var tracks: [[ForeignTrack.Ready]]
  /// The first of each track that was not handed over.
  private var heads: [Int]
  /// Which tracks are waited for.
  private let leading: [Bool]
  private var bytes = 0
  private var last: RationalTime?

  /// More does not wait for a track that stays behind.
  private static let room = 32 << 20
  private static let patience = RationalTime(10, per: 1)

  init(leading: [Bool]) {
    self.leading = leading
    tracks = Array(repeating: [], count: leading.count)
    heads = Array(repeating: 0, count: leading.count)
  }

  mutating func add(_ ready: ForeignTrack.Ready) {
    bytes += ready.sample.payload.count
    tracks[ready.sample.track].append(ready)
    last = ready.sample.decodeTime
  }

  /// The first of all, once nothing earlier can come, or all have come.
  mutating func next(isOver: Bool) -> ForeignTrack.Ready? {
    var earliest: Int?
    var isWhole = true
    for index in tracks.indices {
      guard heads[index] < tracks[index].count else {
        if leading[index] { isWhole = false }
        continue
      }
      let time = tracks[index][heads[index]].sample.decodeTime
      if let chosen = earliest,
        !time.isBefore(tracks[chosen][heads[chosen]].sample.decodeTime)
      {
        continue
      }
      earliest = index
    }
    guard let earliest else { return nil }
    let ready = tracks[earliest][heads[earliest]]
    guard isWhole || isOver || isFull(since: ready.sample.decodeTime) else { return nil }
    heads[earliest] += 1
    bytes -= ready.sample.payload.count
    if heads[earliest] > 256 || heads[earliest] == tracks[earliest].count {
      tracks[earliest].removeFirst(heads[earliest])
      heads[earliest] = 0
    }
    return ready
  }

  private func isFull(since time: RationalTime) -> Bool {
    guard bytes <= Self.room else { return true }
    return last.map { !$0.isBefore(time, plus: Self.patience) } ?? false
  }

  /// When the first of all samples that wait is shown.
  var start: RationalTime? {
    var result: RationalTime?
    for ready in tracks.joined() {
      let time = ready.sample.presentationTime
      if result.map({ time.isBefore($0) }) ?? true { result = time }
    }
    return result
  }
}
