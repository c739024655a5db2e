// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
internal import ApusMedia
internal import ApusSamples
internal import HLS

/// Subtitles on their way into segments of WebVTT: RFC 8216, 3.5. A cue is in each segment during which it is shown.
struct SegmentedText {
  let rendition: HLSPlan.Rendition
  /// Its folder, such as `text-1`.
  let folder: String
  private var cues: WebVTTCues
  private(set) var count = 0
  private(set) var segments: [(size: Int, duration: Int64)] = []

  init(_ rendition: HLSPlan.Rendition, folder: String) throws {
    guard let cues = WebVTTCues(rendition.coded) else {
      throw MediaError(.misuse, of: .part("subtitles"), "are not text")
    }
    self.rendition = rendition
    self.folder = folder
    self.cues = cues
  }

  mutating func add(_ sample: CodedSample) throws { try cues.add(sample) }

  /// Writes all segments.
  ///
  /// - Parameter end: the end of the presentation, in microseconds.
  mutating func finish(at end: Int64, in files: any PresentationFiles) throws {
    cues.close(at: try rendition.origin.later(by: RationalTime(end, per: 1_000_000)))
    var shown: [(start: Int64, end: Int64, cue: WebVTTCue)] = []
    for cue in cues.cues {
      let (start, over) = (
        try rendition.microseconds(cue.start), try rendition.microseconds(cue.end)
      )
      if over > max(0, start) { shown.append((max(0, start), over, cue)) }
    }
    count = shown.count
    shown.sort { $0.start < $1.start }
    let starts = [0] + rendition.boundaries.filter { $0 > 0 && $0 < end }
    for (index, start) in starts.enumerated() {
      let next = index + 1 < starts.count ? starts[index + 1] : end
      // Media begin at 0 in each rendition.
      var text = "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n"
      for cue in shown where cue.start < next && cue.end > start {
        let settings = cue.cue.settings.isEmpty ? "" : " \(cue.cue.settings)"
        let times = "\(Self.stamp(cue.start)) --> \(Self.stamp(cue.end))"
        text += "\n\(times)\(settings)\n\(cue.cue.text)\n"
      }
      var sink = PresentationSink(target: try files.file("\(folder)/\(index + 1).vtt"))
      try sink.append(Array(text.utf8).span)
      try sink.passOn()
      segments.append((text.utf8.count, next - start))
    }
  }

  private static func stamp(_ microseconds: Int64) -> String {
    WebVTTCue.stamp(milliseconds: (microseconds + 500) / 1000)
  }

  var durations: [RationalTime] { segments.map { RationalTime($0.duration, per: 1_000_000) } }
  var rates: SegmentRates { SegmentRates(segments: segments) }

  func playlist(targetDuration: Int) -> MediaPlaylist {
    var playlist = MediaPlaylist()
    playlist.targetDuration = targetDuration
    playlist.kind = .vod
    playlist.isEnded = true
    playlist.hasIndependentSegments = true
    playlist.segments = durations.enumerated().map { index, duration in
      MediaPlaylist.Segment("\(index + 1).vtt", duration: duration)
    }
    return playlist
  }
}
