// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A walk over a file that finds samples by their structure, from its first byte to its last.
struct MediaSearch {
  /// The samples of each track, in the order of the file.
  private(set) var samples: [[FoundSample]]
  /// The bytes that are neither boxes nor samples.
  private(set) var gaps: [Range<Int>] = []
  /// The number of bytes of media data that should follow the end of the file.
  private(set) var missing = 0
  /// Whether there is media data: a box for it, or samples.
  private(set) var hasMedia = false

  /// The sound as a clock for the pictures, and the chunks of pictures at which it was read.
  private let clock: SoundClock?
  private var anchors: [SoundClock.Anchor] = []
  private var finder: SampleFinder
  private var order: ChunkOrder
  private var window: SearchWindow
  /// The index of the first sample of each track since the last bytes that could not be explained.
  private var resumed: [Int?]
  /// The place at which a box ends that was found.
  private var boxEnd = 0
  /// Whether the bytes before the current place are explained.
  private var isExplained = false

  init(
    _ source: any ByteSource, for tracks: [RecoverableTrack], order: ChunkOrder, clock: SoundClock?
  ) {
    self.clock = clock
    window = SearchWindow(source)
    finder = SampleFinder(tracks)
    self.order = order
    samples = tracks.map { _ in [] }
    resumed = tracks.map { _ in 0 }
  }

  /// Walks over the whole file.
  mutating func run() throws {
    var place = 0
    while place < window.count {
      if let box = try FileBox.find(at: place, isExpected: place == boxEnd, in: &window) {
        place = enter(box)
      } else if let found = try finder.sample(
        at: place, order: order, isExplained: isExplained, in: &window)
      {
        place = found.sample.range.upperBound
        add(found)
      } else {
        place = try skip(from: place)
      }
    }
  }

  /// Returns the times of samples of a track that the clock tells.
  func times(of track: Int, among tracks: [RecoverableTrack]) -> SoundClock.Times? {
    guard let clock, clock.pictures == track else { return nil }
    return clock.times(of: anchors, samples[clock.sound], in: tracks[clock.sound])
  }

  /// Returns the place after a box, or at the beginning of media data.
  private mutating func enter(_ box: FileBox) -> Int {
    isExplained = true
    boxEnd = box.range.upperBound
    guard box.type == "mdat" else { return min(box.range.upperBound, window.count) }
    hasMedia = true
    missing += max(0, box.range.upperBound - window.count)
    return min(box.range.lowerBound + box.headerCount, window.count)
  }

  private mutating func add(_ found: SampleFinder.Found) {
    let track = found.track
    var sample = found.sample
    if resumed[track] == nil {
      resumed[track] = samples[track].count
      // Order counts from before the gap mean nothing after it.
      sample.startsSequence = true
    }
    if track == clock?.pictures, let clock, let current = order.current, current != track {
      anchors.append(.init(picture: samples[track].count, sound: samples[clock.sound].count))
    }
    let (before, others) = order.add(sample.count, to: track)
    sample.lost = before
    samples[track] += sample.pieces
    for (other, lost) in others {
      if let index = resumed[other] { samples[other][index].lost += lost }
    }
    finder.accept(found)
    isExplained = true
    hasMedia = true
  }

  /// Returns the place at which boxes or samples begin again.
  private mutating func skip(from place: Int) throws -> Int {
    let next = try finder.nextAnchor(from: place + 1, in: &window)
    if let last = gaps.last, last.upperBound == place {
      gaps[gaps.count - 1] = last.lowerBound..<next
    } else {
      gaps.append(place..<next)
    }
    order.skip()
    resumed = resumed.map { _ in nil }
    isExplained = false
    return next
  }
}
