// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusSamples

/// Text subtitles on their way into a container of a library: timed text of movies becomes SubRip in Matroska, all text
/// becomes WebVTT in WebM.
struct WrittenText: Sendable {
  private enum Form: Sendable {
    case subRip, webVTT
  }

  private let form: Form
  /// The markup of the text; `nil` for timed text.
  private let markup: TextMarkup?

  /// Returns `nil` for a track that stays unchanged.
  init?(_ track: CodedTrack, _ target: RemuxTarget) {
    guard target.isMatroska, track.kind == .subtitle else { return nil }
    markup = TextMarkup(track)
    if markup == nil {
      guard case .other(TimedTextTrack.type, _) = track.format else { return nil }
    }
    switch target {
    case .mkv where markup == nil: form = .subRip
    case .webm where markup != .webVTT: form = .webVTT
    default: return nil
    }
  }

  /// Returns a track as a target holds it, with the name of its codec.
  static func carried(_ track: CodedTrack, _ target: RemuxTarget) -> CodedTrack {
    var track = track
    if let text = WrittenText(track, target) {
      track.format = .other("text", [])
      track.details.codec = text.form == .subRip ? "subrip" : "webvtt"
    } else {
      track.details.codec = track.codecName ?? ""
    }
    return track
  }

  /// Returns a sample in its new form; `nil` for one without text, which only means that nothing is shown.
  func sample(_ sample: CodedSample) throws -> CodedSample? {
    let bytes = try sample.payload.bytes()
    let text = markup?.text(bytes) ?? StyledText(sample: bytes)
    guard !text.isEmpty else { return nil }
    var result = sample
    result.payload = Extent(Array((form == .subRip ? text.subRip : text.webVTT).utf8))
    return result
  }
}
