// SPDX-License-Identifier: MIT

internal import Bytes
internal import Containers
internal import FFmpeg
internal import FLV
internal import Flow
internal import ISOBMFF
internal import Media

/// What becomes of each track of an input.
struct TranscodePlan {
  private(set) var leftOut: [(name: String, reason: String)] = []
  /// What else is lost.
  private(set) var warnings: [String] = []
  private var lines: [(any TrackLine)?] = []
  /// What is kept of an earlier run: the place among the lines of each place of the part, the places that are coded
  /// anew, and where they go on.
  private(set) var resumed: (places: [Int: Int], coded: Set<Int>, cuts: [Int: TrackCut])?

  init(
    _ source: any SampleSource & Sendable, _ options: TranscodeJob.Options, _ rates: [Fraction],
    pass: CodingRequest.Pass?
  ) throws {
    let settings = options.settings
    let line = LineOptions(
      settings: settings, window: settings.window, pass: pass, step: options.step)
    var refusal: MediaError?
    let video = source.tracks.first { $0.kind == .video }
    let size = (width: video?.width ?? 0, height: video?.height ?? 0)
    for (index, track) in source.tracks.enumerated() {
      do {
        let made = try Self.line(for: track, options.remux, line, rates[index], size)
        lines.append(made)
        if made is VideoLine, let loss = track.dolbyVisionLossInCoding { warnings.append(loss) }
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
        ?? MediaError(.unsupported, of: .input, "has no track to code")
    }
    if let part = options.kept { try resume(part, source, options) }
  }

  private mutating func resume(
    _ part: KeptPart, _ source: any SampleSource & Sendable, _ options: TranscodeJob.Options
  ) throws {
    let kept = lines.indices.filter { lines[$0] != nil }
    // By the places of the part, which has no track that the container does not take.
    let taken = kept.filter {
      lines[$0]?.track.map { options.remux.refusal(of: $0) == nil } ?? true
    }
    let coded = taken.indices.filter { lines[taken[$0]] is VideoLine }
    guard var cuts = part.cuts(coded: Set(coded)) else { return }
    if options.settings.video.isSeekable, options.step == nil {
      var shown: [Int: RationalTime] = [:]
      for place in coded {
        shown[taken[place]] = try cuts[place]?.shown.later(by: options.settings.window.origin)
      }
      let entrances = try Entrances(in: source, before: shown)
      for place in coded { cuts[place]?.entrance = entrances.times[taken[place]] }
    }
    for (place, index) in taken.enumerated() {
      if let cut = cuts[place] { lines[index]?.resume(after: cut) }
    }
    var places: [Int: Int] = [:]
    for (place, index) in taken.enumerated() { places[place] = kept.firstIndex(of: index) }
    resumed = (places, Set(coded), cuts)
  }

  /// How many pictures are kept of a run before.
  var keptPictures: Int {
    guard let resumed else { return 0 }
    return resumed.cuts.reduce(0) { $0 + (resumed.coded.contains($1.key) ? $1.value.count : 0) }
  }

  /// Returns the line for a track; `nil` for one that is not wanted.
  private static func line(
    for track: CodedTrack, _ output: RemuxJob.Options, _ options: LineOptions, _ rate: Fraction,
    _ size: (width: Int, height: Int)
  ) throws -> (any TrackLine)? {
    let settings = options.settings
    switch track.kind {
    case .video:
      let isCover = track.details.roles.contains(.cover)
      guard !isCover, settings.video.codecs.first != .copy else {
        return CopyLine(track, options.window)
      }
      return try VideoLine(track, options, frameRate: rate)
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
  /// Why it does not take a track of sound as it is; `nil` where it does.
  func refusal(of track: CodedTrack) -> String? {
    switch target {
    // Where a choice is, few players take it from there.
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
    // Nothing but pictures, whatever the sound.
    case .hevc: return nil
    }
  }
}

extension VideoSettings {
  /// Whether what becomes of a picture depends on that picture alone.
  fileprivate var isSeekable: Bool { filter.isEmpty && frameRate == nil && !isDeinterlaced }
}
