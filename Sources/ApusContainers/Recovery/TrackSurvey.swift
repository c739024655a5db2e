// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusSamples
internal import ISOBMFF

/// A walk over the samples of a healthy track, for everything that a search for more such samples needs.
struct TrackSurvey {
  private let track: Track
  private let index: Int
  private let coded: CodedTrack
  private let source: any ByteSource
  private var durations: [Int64: Int] = [:]
  private var mostBytes = 0
  private var sizes: Set<Int> = []
  /// The beginnings of some samples.
  private var starts: [[UInt8]] = []
  /// The types of the NAL units in these samples of H.264.
  private var types: Set<UInt8> = []

  init(_ track: Track, _ index: Int, _ coded: CodedTrack, in source: any ByteSource) {
    (self.track, self.index, self.coded, self.source) = (track, index, coded, source)
  }

  /// Walks over all samples, and returns those that are adjacent together, with the seconds from the decoding
  /// of the very first to that of their first.
  mutating func chunks() throws(SyntaxError) -> [(range: Range<Int>, count: Int, time: Double)] {
    var chunks: [(range: Range<Int>, count: Int, time: Double)] = []
    var origin: Int64?
    var walk = track.samples()
    while let run = try walk.nextRun(upTo: Int(UInt16.max)) {
      durations[run.first.duration, default: 0] += run.count
      origin = origin ?? run.first.decodeTime
      mostBytes = max(mostBytes, run.first.size)
      if sizes.count < 2 { sizes.insert(run.first.size) }
      guard !run.range.isEmpty, run.range.upperBound <= source.count else { continue }
      if starts.count < Self.mostStarts {
        let sample = Extent(source, run.first.range)
        starts.append(try sample.prefix(Self.glance).bytes())
        if case .avc = coded.format { try addTypes(of: sample) }
      }
      if let last = chunks.last, last.range.upperBound == run.range.lowerBound {
        chunks[chunks.count - 1] = (
          last.range.lowerBound..<run.range.upperBound, last.count + run.count, last.time
        )
      } else {
        let time = Double(run.first.decodeTime) - Double(origin ?? 0)
        chunks.append((run.range, run.count, time / Double(max(coded.timescale, 1))))
      }
    }
    return chunks
  }

  private mutating func addTypes(of sample: Extent) throws(SyntaxError) {
    var walk = NALUnitWalk(over: sample, lengthSize: coded.format.lengthSize)
    while let head = try walk.next(), !head.range.isEmpty {
      types.insert(head.first.avcNALUnitType)
    }
  }

  /// Returns the track; `chunks` must have been called.
  ///
  /// - Parameters:
  ///   - start: the time at which it begins.
  ///   - lead: the time by which its first sample is decoded before.
  func track(start: Int64, lead: Int64, limits: Limits) throws -> RecoverableTrack {
    let rate = SampleRate(durations) ?? SampleRate(duration: Int64(coded.timescale))
    var found = RecoverableTrack(
      coded: described, structure: try structure(limits), rate: rate, start: start,
      lead: lead)
    found.coded.details.references = []
    return found
  }

  private func structure(_ limits: Limits) throws -> RecoverableTrack.Structure {
    let mostUnitBytes = max(1 << 22, mostBytes << 3)
    let finder = try PictureFinder(
      coded.format, types: types, mostUnitBytes: mostUnitBytes, limits: limits)
    if let finder { return .pictures(finder) }
    if case .aac(let configuration) = coded.format {
      return AACFrameReader(configuration).map { .frames($0) } ?? .unknown
    }
    guard sizes.count == 1, let size = sizes.first, size > 0 else { return .unknown }
    if coded.kind == .audio, size <= Self.mostMomentBytes { return .moments(size: size) }
    return BytePattern(starts, size: size).map { .pattern($0) } ?? .unknown
  }

  /// The track without the properties that belong to the healthy movie only: dates, places, edits and sample groups.
  private var described: CodedTrack {
    var coded = coded
    coded.details.boxes.removeAll { $0.type == "udta" || $0.type == "meta" }
    guard var movie = coded.details.movie else { return coded }
    (movie.creationTime, movie.mediaCreationTime) = (0, 0)
    movie.groupings = []
    movie.edits = nil
    (movie.editLosses, movie.entryLosses) = ([], [])
    coded.details.movie = movie
    return coded
  }

  private static let mostStarts = 256
  private static let glance = 32
  /// The size of a moment of 64 channels of 64 bits.
  private static let mostMomentBytes = 512
}
