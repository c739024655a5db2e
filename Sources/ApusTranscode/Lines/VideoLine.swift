// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples

/// A track of pictures that are decoded and filtered once, and encoded once or by every rung of a ladder.
final class VideoLine: TrackLine {
  var outputs: [any LineOutput] { rungs }
  private(set) var isDone = false
  var facts: [TranscodedTrack] {
    rungs.map { rung in
      var facts = rung.facts
      (facts.samples, facts.damaged) = (samples, damage + decoder.damageCount)
      facts.resizings = sizes.words(codedAs: facts.size)
      return facts
    }
  }

  /// Whether the pictures of every rung are still those of Dolby Vision.
  var keepsDolbyVision: Bool {
    rungs.allSatisfy { $0.keptDolbyVision(frameRate) != nil }
  }

  private let source: CodedTrack
  private let options: LineOptions
  private let frameRate: Fraction
  private let rungs: [PictureRung]
  private var branches: [PictureBranch] = []
  private var decoder: VideoDecoder
  private var samples = 0
  /// The number of damaged pictures found by decoders that were closed since.
  private var damage = 0
  private var sizes = PictureSizes()
  private var isFinished = false
  private var entrance: RationalTime?
  private var companions: WaitingCompanions

  /// - Parameter ladder: the rungs to be made; `nil` encodes the pictures once.
  init(
    _ source: CodedTrack, _ options: LineOptions, ladder: LadderPlan? = nil, frameRate: Fraction
  ) throws {
    self.source = source
    self.options = options
    self.frameRate = frameRate
    decoder = try Self.decoder(of: source, options)
    companions = WaitingCompanions(source.format)
    let video = options.settings.video
    let wanted = ladder?.rungs.map { (rung: Optional($0), video: $0.settings(over: video)) }
    rungs = (wanted ?? [(nil, video)]).enumerated().map { place, wanted in
      PictureRung(
        source, options, wanted.video, rung: wanted.rung, frameRate: frameRate,
        comparison: options.comparisons.dropFirst(place).first)
    }
  }

  private static func decoder(of track: CodedTrack, _ options: LineOptions) throws
    -> VideoDecoder
  {
    guard let stream = CodedStream(track) else {
      throw MediaError(.unsupported, of: .part(track.name), "has an unknown coding")
    }
    var decoding = DecoderOptions()
    decoding.isSalvaging = options.settings.isSalvaging
    do throws(MediaError) {
      return try VideoDecoder(stream, traits: track.picture, options: decoding)
    } catch {
      throw error.inside(track: track.name)
    }
  }

  func enter(at time: RationalTime) { entrance = time }

  func push(_ sample: CodedSample) throws {
    guard !isDone else { return }
    if let entrance, sample.decodeTime.isBefore(entrance) { return }
    let bytes = try sample.payload.bytes()
    samples += 1
    do throws(MediaError) {
      companions.add(bytes, at: try units(sample.presentationTime))
      try unsafe decoder.send(
        bytes.span.bytes, decodeTime: try units(sample.decodeTime),
        presentationTime: try units(sample.presentationTime),
        duration: sample.duration.flatMap { $0.rounded(to: source.timescale) } ?? 0,
        isKey: sample.isSync)
      try decode()
    } catch {
      throw error.inside(track: source.name)
    }
  }

  func change(to format: CodedTrack.Format) throws {
    var track = source
    track.format = format
    do throws(MediaError) {
      try decoder.finish()
      try decode()
    } catch {
      throw error.inside(track: source.name)
    }
    damage += decoder.damageCount
    decoder = try Self.decoder(of: track, options)
    companions = WaitingCompanions(format)
  }

  func finish() throws {
    guard !isFinished else { return }
    do throws(MediaError) {
      if !isDone {
        try decoder.finish()
        try decode()
      }
      try close()
    } catch {
      throw error.inside(track: source.name)
    }
  }

  /// Ends with the pictures that are decoded. The decoder keeps the others, because pictures that are shown before some
  /// of them may not have come yet; only the first picture of all is taken from it.
  func stop() throws {
    guard !isFinished else { return }
    do throws(MediaError) {
      if branches.isEmpty {
        try decoder.finish()
        try decode(most: 1)
      }
      try close()
    } catch {
      throw error.inside(track: source.name)
    }
  }

  private func units(_ time: RationalTime) throws(MediaError) -> Int64 {
    guard let value = time.rounded(to: source.timescale) else {
      throw MediaError(.limit, "a time of \(time.value)/\(time.timescale) s is out of range")
    }
    return value
  }

  /// - Parameter most: the number of pictures after which it returns.
  private func decode(most: Int = .max) throws(MediaError) {
    var count = 0
    while !isDone, count < most, let frame = try decoder.next() {
      if options.window.ends(by: frame.time) { return try close() }
      if options.window.begins(after: frame.time) { continue }
      if branches.isEmpty {
        branches = try PictureBranch.all(
          of: rungs, for: frame, matrix: source.matrix, frameRate: frameRate)
      }
      sizes.add(width: frame.width, height: frame.height, at: frame.time)
      let joined = try companions.joined(frame)
      for branch in branches { try branch.push(joined) }
      count += 1
      if rungs.allSatisfy(\.isDone) { try close() }
    }
  }

  private func close() throws(MediaError) {
    guard !isFinished else { return }
    isFinished = true
    isDone = true
    for branch in branches { try branch.finish() }
    // If no picture came, there is no branch.
    for rung in rungs { try rung.finish() }
  }
}

/// The options for creating lines.
struct LineOptions {
  var settings: TranscodeSettings
  var window: TimeWindow
  var pass: CodingRequest.Pass?
  var step: PictureStep?
  /// The replacements for the encoders, in their order; if empty, encoders are used.
  var comparisons: [PictureComparison] = []
}
