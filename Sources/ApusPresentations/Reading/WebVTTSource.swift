// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
internal import ApusMedia
internal import ApusSamples
internal import HLS

/// The subtitles of a playlist whose segments are files of WebVTT: RFC 8216, 3.5.
struct WebVTTSource: SampleSource, Sendable {
  let tracks: [CodedTrack]
  private let cues: [WebVTTCue]
  private var place = 0

  init(
    _ playlist: MediaPlaylist, at path: String, _ rendition: MultivariantPlaylist.Rendition,
    _ opener: JoinedSource.Opener
  ) throws {
    try playlist.checkIsWhole()
    var track = CodedTrack(.subtitle, .other("wvtt", []), timescale: 1000)
    track.details.codec = "webvtt"
    track.details.title = rendition.title
    if let tag = rendition.language {
      (track.language, track.languageTag) = (LanguageTag.letters(of: tag), tag)
    }
    if rendition.isDefault { track.details.roles.insert(.chosen) }
    if rendition.isForced { track.details.roles.insert(.forced) }
    tracks = [track]
    // A cue is in every segment during which it is shown.
    var known: Set<WebVTTCue> = []
    var cues: [WebVTTCue] = []
    var bytes = 0
    for segment in playlist.segments where !segment.isGap {
      guard segment.encryption == nil, segment.header == nil, segment.range == nil else {
        throw MediaError(
          .unsupported, of: .part(segment.name), "is not a supported WebVTT file")
      }
      let source = try opener(try PlaylistPath.resolved(segment.name, in: path))
      bytes += source.count
      guard bytes <= Self.mostBytes else {
        throw MediaError(.limit, of: .part(path), "leads to more than \(Self.mostBytes) bytes")
      }
      for cue in try WebVTTFile(try source.bytes(in: 0..<source.count)).cues
      where known.insert(cue).inserted { cues.append(cue) }
    }
    self.cues = cues.sorted { $0.start.value < $1.start.value }
  }

  /// The most text that is read, in bytes.
  private static let mostBytes = 1 << 26

  mutating func next() throws -> SourceEvent? {
    guard place < cues.count else { return nil }
    let cue = cues[place]
    place += 1
    let length = RationalTime.milliseconds(cue.end.value - cue.start.value)
    return .sample(
      CodedSample(
        track: 0, decodeTime: cue.start, duration: length, isSync: true,
        payload: Extent(Array(cue.text.utf8))))
  }
}
