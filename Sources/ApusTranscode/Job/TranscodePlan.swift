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
    var line = LineOptions(
      settings: settings, window: settings.window, pass: pass, step: options.step)
    var left = comparisons[...]
    var refusal: MediaError?
    let videos = source.tracks.filter { $0.kind == .video }
    let video = videos.first(where: \.isPlayedVideo) ?? videos.first
    let size = (width: video?.width ?? 0, height: video?.height ?? 0)
    var ladder = settings.ladder.map { ladder in
      let seen = settings.video.crop.map { ($0.width, $0.height) } ?? size
      return LadderPlan(ladder, width: seen.0, height: seen.1)
    }
    if settings.ladder != .standard {
      leftOut += ladder?.leftOut.map { ($0.rung.name, $0.reason) } ?? []
    }
    for (index, track) in source.tracks.enumerated() {
      do {
        let isSecond = settings.ladder != nil && ladder == nil && track.isPlayedVideo
        if isSecond {
          throw MediaError(
            .unsupported, of: .part(track.name),
            "is not the video that the renditions are made from")
        }
        line.comparisons = Array(left)
        let made = try Self.line(for: track, options.remux, line, ladder, rates[index], size)
        lines.append(made)
        guard made is VideoLine else { continue }
        left = left.dropFirst(made?.outputs.count ?? 0)
        ladder = nil
        warnings += track.lossesInCoding
        if settings.video.rotation == .baked, !track.matrix.canBeBaked {
          let stays = options.remux.target.isMovie || options.remux.target == .hls
          warnings.append(
            "\(track.name) is shown by a matrix that does more than turn by quarters and mirror, which "
              + "is not baked into its pictures" + (stays ? " but stays beside them" : ""))
        }
      } catch {
        let error = MediaError(error)
        guard error.kind == .unsupported || error.kind == .missing else { throw error }
        refusal = refusal ?? error
        leftOut.append((track.name, error.detail))
        lines.append(nil)
      }
    }
    guard lines.contains(where: { $0 != nil }) else {
      throw refusal
        ?? MediaError(.unsupported, of: .input, "has no track to encode")
    }
    // Sound alone is not a movie; a user who wants that selects its track.
    let keepsVideo = zip(source.tracks, lines).contains { $0.kind == .video && $1 != nil }
    if let refusal, videos.contains(where: \.isPlayedVideo), !keepsVideo { throw refusal }
    guard settings.ladder == nil || lines.contains(where: { $0 is VideoLine }) else {
      throw refusal
        ?? MediaError(.missing, of: .input, "has no video to make a ladder from")
    }
    if let part = options.kept { try resume(part, source, options) }
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

  /// Returns the line for a track; `nil` if it is not wanted.
  private static func line(
    for track: CodedTrack, _ output: RemuxJob.Options, _ options: LineOptions,
    _ ladder: LadderPlan?, _ rate: Fraction, _ size: (width: Int, height: Int)
  ) throws -> (any TrackLine)? {
    let settings = options.settings
    switch track.kind {
    case .video:
      guard track.isPlayedVideo, settings.video.codecs.first != .copy else {
        return CopyLine(track, options.window)
      }
      return try VideoLine(track, options, ladder: ladder, frameRate: rate)
    case .audio:
      switch settings.audio.codec {
      case .none: return nil
      case .copy: return CopyLine(track, options.window)
      case .aac: return try AudioLine(track, options)
      case .auto:
        return output.refusal(of: track) == nil
          ? CopyLine(track, options.window) : try AudioLine(track, options)
      }
    case .subtitle:
      let text = output.target.isMovie ? size : nil
      return settings.keepsSubtitles ? CopyLine(track, options.window, text: text) : nil
    case .timecode, .data: return CopyLine(track, options.window)
    }
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
    // Few players support uncompressed sound in these.
    case .mp4, .fmp4, .hls:
      let isPlain = UncompressedSound(track) != nil || PCMForm(track) != nil
      return isPlain ? "is not compressed" : MovieEntry.refusal(of: track)
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
