// SPDX-License-Identifier: MIT

internal import Bytes
internal import FFmpeg
internal import Flow
internal import Media

/// Pulls samples of the input through the lines of their tracks and puts what comes out into order.
///
/// It belongs to one thread at a time; decoders and encoders have threads of their own.
final class TranscodeRun: @unchecked Sendable {
  // Only the thread that pulls touches anything in here.
  private var source: any SampleSource & Sendable
  /// The line of each track of the input; `nil` for those that are left out.
  private let lines: [(any TrackLine)?]
  /// The index of each line in the output.
  private var places: [Int: Int] = [:]
  private let isStopped: @Sendable () -> Bool
  private var isEnded = false
  private(set) var wasStopped = false
  private(set) var tracks: [CodedTrack] = []
  /// Tracks that gave nothing to code.
  private(set) var empty: [Int] = []

  /// Pulls until all tracks are known.
  init(
    _ source: any SampleSource & Sendable, _ lines: [(any TrackLine)?],
    isStopped: @escaping @Sendable () -> Bool
  ) throws {
    self.source = source
    self.lines = lines
    self.isStopped = isStopped
    var unknown = lines.contains { $0.map { $0.track == nil } ?? false }
    var places: [Int: Int] = [:]
    while unknown, !isEnded {
      try pull()
      unknown = lines.contains { $0.map { $0.track == nil } ?? false }
    }
    for (index, line) in lines.enumerated() {
      guard let line else { continue }
      guard let track = line.track else {
        empty.append(index)
        continue
      }
      places[index] = tracks.count
      tracks.append(track)
    }
    for index in tracks.indices {
      tracks[index].details.references = tracks[index].details.references.map { reference in
        (reference.type, reference.tracks.compactMap { places[$0] })
      }
    }
    self.places = places
  }

  /// What was wrong with the input and made good, in words.
  var repairs: [String] {
    source.repairs
      + facts.filter { $0.repairedTimes > 0 }.map {
        "\($0.repairedTimes) times of \($0.name) did not rise and were mended"
      }
  }
  var facts: [TranscodedTrack] {
    lines.compactMap { ($0 as? VideoLine)?.facts ?? ($0 as? AudioLine)?.facts }
  }

  /// What a container without edit lists shows of pictures beside the stretch, which decoding needs, in words.
  ///
  /// - Parameter hidesFirst: whether it can hide those before.
  func kept(hidesFirst: Bool) -> [String] {
    let copies = lines.compactMap { $0 as? CopyLine }
    let (early, late) = (copies.map(\.early).max() ?? 0, copies.map(\.late).max() ?? 0)
    func text(_ count: Int, _ place: String) -> String? {
      count == 0
        ? nil
        : "\(count) \(count == 1 ? "picture" : "pictures") \(place) the stretch \(count == 1 ? "is" : "are") shown, "
          + "too: others in it are predicted from them, and nothing here can hide them"
    }
    return [hidesFirst ? nil : text(early, "before"), text(late, "behind")].compactMap(\.self)
  }

  func next() throws -> SourceEvent? {
    while true {
      if let event = popped() { return event }
      guard !isEnded else { return nil }
      try pull()
    }
  }

  private func pull() throws {
    if isStopped() {
      wasStopped = true
      return try end()
    }
    guard let event = try source.next() else { return try end() }
    switch event {
    case .sample(let sample):
      guard let line = lines[sample.track], !line.isDone else { return }
      try line.take(sample)
      if line.isDone, lines.allSatisfy({ $0?.isDone ?? true }) { try end() }
    case .format(let track, let format): try lines[track]?.change(to: format)
    }
  }

  private func end() throws {
    isEnded = true
    for line in lines { try line?.finish() }
  }

  /// The earliest that is ready, unless one that is held back may come before it.
  private func popped() -> SourceEvent? {
    var best: (index: Int, time: RationalTime)?
    for (index, line) in lines.enumerated() {
      guard let line, places[index] != nil else { continue }
      switch line.ready.first {
      case .format: return placed(line.ready.removeFirst(), index)
      case .sample(let sample):
        if best.map({ sample.decodeTime.isBefore($0.time) }) ?? true {
          best = (index, sample.decodeTime)
        }
      case nil: if line.holdsBack { return nil }
      }
    }
    guard let best else { return nil }
    return placed(lines[best.index]?.ready.removeFirst(), best.index)
  }

  private func placed(_ event: SourceEvent?, _ index: Int) -> SourceEvent? {
    guard let place = places[index] else { return nil }
    switch event {
    case .sample(var sample):
      sample.track = place
      return .sample(sample)
    case .format(_, let format): return .format(track: place, format)
    case nil: return nil
    }
  }
}
