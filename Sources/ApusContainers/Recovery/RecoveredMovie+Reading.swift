// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusMedia
internal import ApusSamples
internal import ISOBMFF

extension RecoveredMovie {
  /// Returns whether the structure of a damaged file shows where its samples are, so that it is read and not searched:
  /// FLV, Matroska, and movies with their `moov`.
  ///
  /// - Throws: `MediaError` if it is no movie in MP4, MOV, FLV or Matroska, or one that is whole.
  public static func describesItself(_ source: any ByteSource, limits: Limits = Limits()) throws
    -> Bool
  {
    let kind = try FileKind(of: source)
    switch kind {
    case .flv, .matroska: return true
    case .isoBMFF, .unknown, .annexB: break
    default:
      throw MediaError(
        .unsupported, of: .input,
        "is \(kind.description), not a movie in MP4, MOV, FLV or Matroska")
    }
    let boxes = try outermost(of: source)
    guard boxes.contains(where: { $0.type == "moov" }),
      (try? MovieSource(source, limits: limits, isSalvaging: true)) != nil
    else { return false }
    let isInterrupted = boxes.contains { $0.type == "moof" || $0.range.upperBound > source.count }
    guard isInterrupted || (try? MovieSource(source, limits: limits)) == nil else {
      throw MediaError(.misuse, of: .input, "has its moov; use remux")
    }
    return true
  }

  /// Reads a file that describes itself, as far as it is whole.
  init(reading source: any ByteSource, openers: [any MediaOpener], limits: Limits) throws {
    var options = OpeningOptions()
    options.isSalvaging = true
    (options.openers, options.limits) = (openers, limits)
    let input = try MediaInput.open(source, options: options)
    var report = RecoveryReport()
    if input.kind == .isoBMFF {
      let boxes = try Self.outermost(of: source)
      report.missing = boxes.reduce(0) { $0 + max(0, $1.range.upperBound - source.count) }
    }
    var walk = input.source
    var times = walk.tracks.map { _ in SampleTimes() }
    while let event = try walk.next() {
      if case .sample(let sample) = event { times[sample.track].add(sample) }
    }
    try report.setGaps(walk.unread, in: source)
    report.warnings = input.warnings + walk.repairs
    report.isDoubtful = !report.warnings.isEmpty
    for (track, times) in zip(walk.tracks, times) {
      report.tracks.append(
        RecoveryReport.Track(
          name: track.name, kind: track.kind, samples: times.count, undecodable: 0,
          lost: report.gaps.isEmpty || track.kind == .subtitle ? 0 : times.lost))
    }
    (self.input, self.report) = (input, report)
  }

  /// Returns the outermost boxes up to the first bytes that do not belong to a box.
  private static func outermost(of source: any ByteSource) throws -> [FileBox] {
    var window = SearchWindow(source)
    var boxes: [FileBox] = []
    while let box = try FileBox.find(
      at: boxes.last?.range.upperBound ?? 0, isExpected: true, in: &window)
    {
      boxes.append(box)
    }
    return boxes
  }
}

/// The distances of the samples of a track in decoding order, which show how many are missing between them.
private struct SampleTimes {
  private(set) var count = 0
  private var last: RationalTime?
  private var durations: [Int64: Int] = [:]

  mutating func add(_ sample: CodedSample) {
    if let last { durations[sample.decodeTime.value &- last.value, default: 0] += 1 }
    last = sample.decodeTime
    count += sample.count
  }

  /// The number of samples that are missing.
  var lost: Int {
    guard let rate = SampleRate(durations) else { return 0 }
    let usual = Double(rate.units) / Double(rate.samples)
    return durations.reduce(0) { sum, entry in
      let places = (Double(entry.key) / usual).rounded()
      return places < 2 || places > 1e9 ? sum : sum + (Int(places) - 1) * entry.value
    }
  }
}
