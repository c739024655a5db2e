// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusMedia
public import ApusSamples
public import HEVC
internal import ISOBMFF

/// The samples of a damaged movie: read as far as the file describes them, and otherwise, where its `moov` is missing,
/// found by their structure.
///
/// For the latter, the descriptions of the tracks, the rates of their samples and the order of their chunks come from a
/// healthy movie of the same camera; without one, only video is found whose parameter sets are among its samples.
public struct RecoveredMovie: Sendable {
  /// The samples, as an input that can be remuxed.
  public let input: MediaInput
  /// The samples that were found, and the bytes that could not be explained.
  public let report: RecoveryReport

  /// Reads or searches a broken movie from beginning to end.
  ///
  /// - Parameters:
  ///   - healthy: a whole movie of the same camera with the same settings.
  ///   - frameRate: the rate of the pictures; needed without a healthy movie, whose rate it overrides.
  ///   - openers: openers of Matroska. Like FLV and movies with their `moov`, it needs neither of the above.
  /// - Throws: `MediaError` if the source is no movie, if it is whole, or if no samples are found.
  public init(
    _ source: any ByteSource, like healthy: (any ByteSource)? = nil, frameRate: FrameRate? = nil,
    openers: [any MediaOpener] = [], limits: Limits = Limits()
  ) throws {
    guard try !Self.describesItself(source, limits: limits) else {
      self = try RecoveredMovie(reading: source, openers: openers, limits: limits)
      return
    }
    var tracks: [RecoverableTrack]
    var order: ChunkOrder
    var clock: SoundClock?
    var report = RecoveryReport()
    if let healthy {
      let movie = try HealthyMovie(healthy, limits: limits)
      (tracks, order, report.warnings) = (movie.tracks, movie.order, movie.warnings)
      if let frameRate {
        for index in tracks.indices { tracks[index].setRate(frameRate) }
      } else {
        clock = movie.clock
      }
    } else {
      guard let frameRate else {
        throw MediaError(
          .misuse, of: .part("frame rate"), "is needed where there is no healthy movie")
      }
      var video = BareVideo(source, limits: limits)
      guard let track = try video.track(at: frameRate) else {
        throw MediaError(
          .nothing, of: .input,
          "has no parameter sets in its media data, which a healthy movie of the same camera would "
            + "provide")
      }
      tracks = [track]
      order = ChunkOrder(tracks)
    }
    var search = MediaSearch(source, for: tracks, order: order, clock: clock)
    try search.run()
    guard search.samples.contains(where: { !$0.isEmpty }) else {
      throw Self.nothing(tracks, hasMedia: search.hasMedia)
    }
    let first = Self.firstDecodable(in: search.samples, of: tracks)
    report.add(tracks, search, first: first)
    report.missing = search.missing
    try report.setGaps(search.gaps, in: source)
    let found = tracks.indices.filter { first[$0] < search.samples[$0].count }
    guard !found.isEmpty else {
      throw MediaError(
        .nothing, of: .input, "has no picture with which decoding can begin")
    }
    let recovered = RecoveredSource(
      source,
      found.map { (tracks[$0], search.samples[$0], search.times(of: $0, among: tracks)) },
      first: found.map { first[$0] })
    input = MediaInput(.isoBMFF, recovered, report.warnings)
    self.report = report
  }

  /// Returns the index of the first sample of each track with which decoding can begin.
  private static func firstDecodable(
    in samples: [[FoundSample]], of tracks: [RecoverableTrack]
  ) -> [Int] {
    tracks.indices.map { track in
      samples[track].firstIndex(where: \.isSync) ?? samples[track].count
    }
  }

  private static func nothing(_ tracks: [RecoverableTrack], hasMedia: Bool) -> MediaError {
    guard hasMedia else {
      return MediaError(.nothing, of: .input, "is not a movie: no media data is in it")
    }
    let names = tracks.map(\.coded.name).joined(separator: ", ")
    return MediaError(
      .nothing, of: .input,
      "has no samples like those of the healthy movie (\(names)), which must be from the same camera "
        + "with the same settings")
  }
}

extension RecoverableTrack {
  /// Sets the rate of pictures.
  fileprivate mutating func setRate(_ frameRate: FrameRate) {
    guard case .pictures = structure,
      let units = Int64(exactly: frameRate.denominator),
      let samples = Int64(exactly: frameRate.numerator)
    else { return }
    let (product, overflow) = units.multipliedReportingOverflow(by: Int64(coded.timescale))
    if !overflow { (rate.units, rate.samples) = (product, samples) }
  }
}

extension RecoveryReport {
  /// Sets the ranges that could not be explained.
  mutating func setGaps(_ ranges: [Range<Int>], in source: any ByteSource) throws {
    let window = SearchWindow(source)
    gaps = try ranges.map { Gap(range: $0, isZero: try window.isZero($0)) }
  }

  /// Adds the tracks that were searched for.
  fileprivate mutating func add(_ tracks: [RecoverableTrack], _ search: MediaSearch, first: [Int]) {
    for (index, track) in tracks.enumerated() {
      let samples = search.samples[index]
      let kept = samples[first[index]...]
      self.tracks.append(
        Track(
          name: track.coded.name, kind: track.coded.kind,
          samples: kept.reduce(0) { $0 + $1.count }, undecodable: first[index],
          lost: kept.dropFirst().reduce(0) { $0 + $1.lost }))
    }
  }
}
