// SPDX-License-Identifier: MIT

internal import ApusSamples

/// The order in which a camera writes the chunks of its tracks. It decides between tracks whose samples look alike, and
/// shows how much of each track is lost where bytes cannot be explained.
struct ChunkOrder: Sendable {
  /// A change from one track to another.
  private struct Change: Hashable {
    var from: Int
    var to: Int
  }

  /// The duration of a sample of each track, in seconds.
  private let durations: [Double]
  private let chunkCounts: [[Int]]
  /// The tracks of the chunks of the healthy movie, in the order of the file.
  private var sequence: [Int] = []
  /// The index in `sequence` of the next chunk.
  private var position = 0
  /// The times by which the first track is ahead of the second when the second follows it, in seconds.
  private struct Lead {
    var count = 0.0
    var sum = 0.0
    var least = Double.infinity
    var most = -Double.infinity
    var mean: Double { sum / count }

    mutating func add(_ lead: Double) {
      count += 1
      sum += lead
      (least, most) = (min(least, lead), max(most, lead))
    }
  }

  private var leads: [Change: Lead] = [:]

  /// The number of samples of each track so far, with those that are lost.
  private var counts: [Int]
  /// The number of chunks of each track that began.
  private var chunks: [Int]
  /// The track of the last sample; `nil` after bytes that could not be explained.
  private(set) var current: Int?
  /// The number of samples in the current chunk.
  private var length = 0
  /// The tracks whose clocks agree since the last bytes that could not be explained.
  private var aligned: Set<Int>

  init(_ tracks: [RecoverableTrack]) {
    durations = tracks.map { $0.rate.seconds(of: 1, per: $0.coded.timescale) }
    chunkCounts = tracks.map(\.chunkCounts)
    counts = tracks.map { _ in 0 }
    chunks = counts
    aligned = Set(tracks.indices)
  }

  /// Measures the distances between tracks in a healthy movie.
  mutating func learn(from order: [(track: Int, count: Int)]) {
    var last: Int?
    for (track, count) in order {
      if let last, last != track {
        let lead = lead(of: last, to: track)
        leads[Change(from: last, to: track), default: Lead()].add(lead)
      }
      counts[track] += count
      last = track
    }
    sequence = order.map(\.track)
    counts = counts.map { _ in 0 }
  }

  private func time(of track: Int) -> Double { Double(counts[track]) * durations[track] }

  private func lead(of track: Int, to other: Int) -> Double { time(of: track) - time(of: other) }

  /// Returns the track that the next sample belongs to.
  ///
  /// - Parameter candidates: the tracks in which it is valid, at least one.
  func choice(among candidates: [Int]) -> Int {
    guard candidates.count > 1 else { return candidates[0] }
    if let current, candidates.contains(current), left(of: current) ?? 1 > 0 {
      if left(of: current) != nil { return current }
      let others = candidates.filter { $0 != current }
      if others.allSatisfy({ lead(of: current, to: $0) < durations[current] / 2 }) {
        return current
      }
    }
    let others = candidates.filter { $0 != current }
    if let next = sequence.dropFirst(position).first(where: candidates.contains) { return next }
    return others.min { (time(of: $0), $0) < (time(of: $1), $1) } ?? candidates[0]
  }

  /// Returns the number of samples that the current chunk still has; `nil` if it is longer than the healthy movie.
  func left(of track: Int) -> Int? {
    let isCurrent = track == current
    let chunk = chunks[track] - (isCurrent ? 1 : 0)
    guard chunkCounts[track].indices.contains(chunk) else { return nil }
    return max(0, chunkCounts[track][chunk] - (isCurrent ? length : 0))
  }

  /// Adds samples to a track.
  ///
  /// - Returns: the numbers of samples that were lost: of the track before these samples, and of the other tracks
  ///   before the first sample that follows the bytes that could not be explained.
  mutating func add(_ count: Int, to track: Int) -> (before: Int, others: [(track: Int, lost: Int)])
  {
    var before = 0
    var others: [(track: Int, lost: Int)] = []
    if track != current {
      if let current, !aligned.contains(track) {
        (before, others) = align(track, with: current)
      }
      chunks[track] += 1
      position = (sequence[min(position, sequence.count)...].firstIndex(of: track) ?? position) + 1
      length = 0
      current = track
    }
    aligned.insert(track)
    counts[track] += count
    length += count
    return (before, others)
  }

  /// Marks bytes that could not be explained.
  mutating func skip() {
    current = nil
    aligned = []
  }

  /// Moves the clock of the track that is behind.
  private mutating func align(_ track: Int, with last: Int) -> (Int, [(track: Int, lost: Int)]) {
    guard let usual = leads[Change(from: last, to: track)] else { return (0, []) }
    let lead = lead(of: last, to: track)
    let excess = lead - usual.mean
    // The distance is known no better than it is regular, and than the longer of both samples.
    guard lead < usual.least || lead > usual.most,
      excess.magnitude > max(durations[last], durations[track]) / 2
    else { return (0, []) }
    if excess >= 0 {
      let lost = Self.frames(excess, durations[track])
      counts[track] += lost
      return (lost, [])
    }
    let others = aligned.sorted().map { ($0, Self.frames(-excess, durations[$0])) }
    for (other, lost) in others { counts[other] += lost }
    return (0, others.map { (track: $0.0, lost: $0.1) })
  }

  private static func frames(_ seconds: Double, _ duration: Double) -> Int {
    guard duration > 0, seconds / duration < 1e9 else { return 0 }
    return Int((seconds / duration).rounded())
  }
}
