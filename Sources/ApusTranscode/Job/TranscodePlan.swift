// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples
internal import FLV
internal import ISOBMFF

/// The processing of each track of an input.
struct TranscodePlan {
  private(set) var leftOut: [(name: String, reason: String)] = []
  /// Other losses.
  private(set) var warnings: [String] = []
  private var lines: [(any TrackLine)?] = []
  /// The part of an earlier run that is kept: the index among the outputs of each track of the part, the tracks that
  /// are re-encoded, and the points at which they continue.
  private(set) var resumed: (places: [Int: Int], coded: Set<Int>, cuts: [Int: TrackCut])?

  init(
    _ source: any SampleSource & Sendable, _ options: TranscodeJob.Options, _ rates: [Fraction],
    pass: CodingRequest.Pass?, comparisons: [PictureComparison] = []
  ) throws {
    let settings = options.settings
    let line = LineOptions(
      settings: settings, window: settings.window, pass: pass, step: options.step,
      comparisons: comparisons)
    var maker = LineMaker(source.tracks, options.remux, line)
    if settings.ladder != .standard {
      leftOut += maker.ladder?.leftOut.map { ($0.rung.name, $0.reason) } ?? []
    }
    var refusal: MediaError?
    for (index, track) in source.tracks.enumerated() {
      do {
        let made = try maker.line(for: track, frameRate: rates[index])
        lines.append(made)
        if let made = made as? VideoLine {
          warnings += Self.losses(of: track, made.keepsDolbyVision, options)
        }
      } catch {
        let error = MediaError(error)
        guard error.kind == .unsupported || error.kind == .missing else { throw error }
        refusal = refusal ?? error
        leftOut.append((track.name, error.detail))
        lines.append(nil)
      }
    }
    try check(source.tracks, refusal, isLadder: settings.ladder != nil)
    if let part = options.kept { try resume(part, source, options) }
  }

  /// Returns the losses that encoding a video causes.
  private static func losses(
    of track: CodedTrack, _ keepsDolbyVision: Bool, _ options: TranscodeJob.Options
  ) -> [String] {
    var losses = track.lossesInCoding(keepsDolbyVision: keepsDolbyVision)
    if options.settings.video.rotation == .baked, !track.matrix.canBeBaked {
      let stays = options.remux.target.isMovie || options.remux.target == .hls
      losses.append(
        "\(track.name) is shown by a matrix that does more than turn by quarters and mirror, which "
          + "is not baked into its pictures" + (stays ? " but stays beside them" : ""))
    }
    return losses
  }

  /// Throws if no track is left, or not the video.
  ///
  /// - Parameter refusal: the first reason why a track was left out.
  private func check(_ tracks: [CodedTrack], _ refusal: MediaError?, isLadder: Bool) throws {
    guard lines.contains(where: { $0 != nil }) else {
      throw refusal
        ?? MediaError(.unsupported, of: .input, "has no track to encode")
    }
    // Sound alone is not a movie; a user who wants that selects its track.
    let keepsVideo = zip(tracks, lines).contains { $0.kind == .video && $1 != nil }
    if let refusal, tracks.contains(where: \.isPlayedVideo), !keepsVideo { throw refusal }
    guard !isLadder || lines.contains(where: { $0 is VideoLine }) else {
      throw refusal
        ?? MediaError(.missing, of: .input, "has no video to make a ladder from")
    }
  }

  private mutating func resume(
    _ part: KeptPart, _ source: any SampleSource & Sendable, _ options: TranscodeJob.Options
  ) throws {
    let outputs = lines.enumerated().flatMap { line, made in
      (made?.outputs ?? []).map { (line: line, output: $0) }
    }
    // Indexed as in the part, which lacks tracks that the container cannot hold.
    let taken = outputs.indices.filter { index in
      outputs[index].output.track.map { options.remux.refusal(of: $0) == nil } ?? true
    }
    let coded = taken.indices.filter { outputs[taken[$0]].output.isCodedVideo }
    guard let cuts = part.cuts(coded: Set(coded)) else { return }
    if options.settings.video.isSeekable, options.step == nil {
      // By line: all rungs of a ladder get the pictures that the one continuing earliest needs.
      var shown: [Int: RationalTime] = [:]
      for place in coded {
        let line = outputs[taken[place]].line
        let time = try cuts[place]?.shown.later(by: options.settings.window.origin)
        if let time, shown[line].map({ time.isBefore($0) }) ?? true { shown[line] = time }
      }
      for (line, time) in try Entrances(in: source, before: shown).times {
        lines[line]?.enter(at: time)
      }
    }
    for (place, index) in taken.enumerated() {
      if let cut = cuts[place] { outputs[index].output.resume(after: cut) }
    }
    var places: [Int: Int] = [:]
    for (place, index) in taken.enumerated() { places[place] = index }
    resumed = (places, Set(coded), cuts)
  }

  /// The number of videos that are encoded.
  var codedCount: Int {
    lines.reduce(0) { $0 + ($1?.outputs.count(where: \.isCodedVideo) ?? 0) }
  }

  /// The number of pictures that are kept from the previous run.
  var keptPictures: Int {
    guard let resumed else { return 0 }
    return resumed.cuts.reduce(0) { $0 + (resumed.coded.contains($1.key) ? $1.value.count : 0) }
  }

  func run(
    _ source: any SampleSource & Sendable, _ isStopped: @escaping @Sendable () -> Bool
  ) throws -> TranscodeRun {
    try TranscodeRun(source, lines, isStopped: isStopped)
  }
}

extension RemuxJob.Options {
  /// Returns the reason why it cannot copy an audio track, or `nil`.
  func refusal(of track: CodedTrack) -> String? {
    switch target {
    case .mp4, .fmp4, .hls: return MovieEntry.refusalForPlayers(of: track)
    case .mov: return MovieEntry.refusal(of: track, in: .quickTime)
    case .flv:
      if case .failure(let refusal) = FLVPlace.places(of: [track], dialect)[0] {
        return refusal.detail
      }
      return nil
    case .mkv, .webm, .ts:
      return muxers?.refusals(of: TimedTextTrack.carried([track], target), in: target)[0]
    // It holds only pictures, whatever the sound.
    case .hevc: return nil
    }
  }
}

extension CodedTrack {
  /// Whether it is a video rather than a picture that belongs to the file.
  var isPlayedVideo: Bool { kind == .video && !details.roles.contains(.cover) }
}

extension VideoSettings {
  /// Returns whether pictures are encoded as a matrix shows them.
  func bakes(_ matrix: TransformationMatrix) -> Bool { rotation == .baked && matrix.canBeBaked }

  /// Whether the result for a picture depends on that picture alone.
  fileprivate var isSeekable: Bool { filter.isEmpty && frameRate == nil && !isDeinterlaced }
}
