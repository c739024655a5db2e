// SPDX-License-Identifier: MIT

internal import Bytes
internal import FFmpeg
internal import FLV
internal import ISOBMFF
internal import Media

/// What becomes of each track of an input.
struct TranscodePlan {
  private(set) var leftOut: [(name: String, reason: String)] = []
  private var lines: [(any TrackLine)?] = []

  init(
    _ source: any SampleSource & Sendable, _ options: TranscodeJob.Options, _ rates: [Fraction],
    pass: CodingRequest.Pass?
  ) throws(SyntaxError) {
    let settings = options.settings
    var window = TimeWindow(start: settings.start, end: settings.end)
    if let start = settings.start { window.origin = start }
    let line = LineOptions(
      settings: settings, window: window, pass: pass, step: options.step)
    var refusal: SyntaxError?
    for (index, track) in source.tracks.enumerated() {
      do throws(SyntaxError) {
        lines.append(try Self.line(for: track, options.remux.target, line, rates[index]))
      } catch {
        guard error.kind == .unsupported else { throw error }
        refusal = refusal ?? error
        leftOut.append((track.name, error.detail))
        lines.append(nil)
      }
    }
    guard lines.contains(where: { $0 != nil }) else {
      throw refusal
        ?? SyntaxError(.unsupported, field: "input", offset: 0, detail: "has no track to code")
    }
  }

  /// `nil` for a track that is not wanted.
  private static func line(
    for track: CodedTrack, _ target: RemuxTarget, _ options: LineOptions, _ rate: Fraction
  ) throws(SyntaxError) -> (any TrackLine)? {
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
        return target.refusal(of: track) == nil
          ? CopyLine(track, options.window) : try AudioLine(track, options)
      }
    case .subtitle: return settings.keepsSubtitles ? CopyLine(track, options.window) : nil
    case .timecode, .data: return CopyLine(track, options.window)
    }
  }

  func run(
    _ source: any SampleSource & Sendable, _ isStopped: @escaping @Sendable () -> Bool
  ) throws(SyntaxError) -> TranscodeRun {
    try TranscodeRun(source, lines, isStopped: isStopped)
  }
}

extension RemuxTarget {
  /// Why it does not take a track of sound as it is; `nil` where it does.
  func refusal(of track: CodedTrack) -> String? {
    switch self {
    // Where a choice is, few players take it from there.
    case .mp4, .fmp4, .hls:
      return UncompressedSound(track) == nil ? MovieEntry.refusal(of: track) : "is not compressed"
    case .mov: return MovieEntry.refusal(of: track, in: .quickTime)
    case .flv:
      if case .failure(let refusal) = FLVPlace.places(of: [track], .enhanced)[0] {
        return refusal.reason
      }
      return nil
    // Nothing but pictures, whatever the sound.
    case .hevc: return nil
    }
  }
}
