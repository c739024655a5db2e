// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples

/// Pulls samples of the input through the lines of their tracks and orders the results.
///
/// Belongs to one thread at a time; decoders and encoders have their own threads.
final class TranscodeRun: @unchecked Sendable {
  // Only the thread that pulls accesses anything in here.
  private var source: any SampleSource & Sendable
  /// The line of each track of the input; `nil` for those that are left out.
  private let lines: [(any TrackLine)?]
  /// The outputs of all lines, in the order of the tracks.
  private var outputs: [any LineOutput] = []
  private let isStopped: @Sendable () -> Bool
  private var isEnded = false
  private(set) var wasStopped = false
  private(set) var tracks: [CodedTrack] = []
  /// The indices of tracks that had nothing to encode.
  private(set) var empty: [Int] = []

  /// Pulls until all tracks are known.
  init(
    _ source: any SampleSource & Sendable, _ lines: [(any TrackLine)?],
    isStopped: @escaping @Sendable () -> Bool
  ) throws {
    self.source = source
    self.lines = lines
    self.isStopped = isStopped
    let all = lines.flatMap { $0?.outputs ?? [] }
    while !isEnded, all.contains(where: { $0.track == nil }) { try pull() }
    // The first index of the outputs of each line, for tracks that refer to it.
    var places: [Int: Int] = [:]
    for (index, line) in lines.enumerated() {
      guard let line else { continue }
      for output in line.outputs {
        guard let track = output.track else { continue }
        places[index] = places[index] ?? tracks.count
        tracks.append(track)
        outputs.append(output)
      }
      if places[index] == nil { empty.append(index) }
    }
    for index in tracks.indices {
      tracks[index].details.references = tracks[index].details.references.map { reference in
        (reference.type, reference.tracks.compactMap { places[$0] })
      }
    }
  }

  /// The faults of the input that were repaired, as text.
  var repairs: [String] {
    source.repairs
      + facts.flatMap { facts in facts.resizings.map { "\(facts.name): \($0)" } }
      + facts.filter { $0.repairedTimes > 0 }.map {
        "\($0.repairedTimes) timestamps of \($0.name) did not increase and were repaired"
      }
  }
  var facts: [TranscodedTrack] { lines.flatMap { $0?.facts ?? [] } }

  /// Returns, as text, the pictures outside the stretch that are needed for decoding and that a container without edit
  /// lists shows.
  ///
  /// - Parameter hidesFirst: whether it can hide those before the stretch.
  func kept(hidesFirst: Bool) -> [String] {
    let copies = lines.compactMap { $0 as? CopyLine }
    let (early, late) = (copies.map(\.early).max() ?? 0, copies.map(\.late).max() ?? 0)
    func text(_ count: Int, _ place: String) -> String? {
      count == 0
        ? nil
        : "\(count) \(count == 1 ? "picture" : "pictures") \(place) the stretch \(count == 1 ? "is" : "are") shown, "
          + "too: others in it are predicted from them, and the format cannot hide them"
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
      isEnded = true
      for line in lines { try line?.stop() }
      return
    }
    guard let event = try source.next() else { return try end() }
    switch event {
    case .sample(let sample):
      guard let line = lines[sample.track], !line.isDone else { return }
      try line.push(sample)
      if line.isDone, lines.allSatisfy({ $0?.isDone ?? true }) { try end() }
    case .format(let track, let format): try lines[track]?.change(to: format)
    }
  }

  private func end() throws {
    isEnded = true
    for line in lines { try line?.finish() }
  }

  /// Returns the earliest event that is ready, unless an earlier one may still be held back.
  private func popped() -> SourceEvent? {
    var best: (place: Int, time: RationalTime)?
    for (place, output) in outputs.enumerated() {
      switch output.ready.first {
      case .format: return placed(output.ready.removeFirst(), place)
      case .sample(let sample):
        if best.map({ sample.decodeTime.isBefore($0.time) }) ?? true {
          best = (place, sample.decodeTime)
        }
      case nil: if output.holdsBack { return nil }
      }
    }
    guard let best else { return nil }
    return placed(outputs[best.place].ready.removeFirst(), best.place)
  }

  private func placed(_ event: SourceEvent?, _ place: Int) -> SourceEvent? {
    switch event {
    case .sample(var sample):
      sample.track = place
      return .sample(sample)
    case .format(_, let format): return .format(track: place, format)
    case nil: return nil
    }
  }
}
