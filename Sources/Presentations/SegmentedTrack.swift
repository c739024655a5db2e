// SPDX-License-Identifier: MIT

internal import Bytes
internal import Containers
internal import Flow
internal import HLS
internal import ISOBMFF
internal import Media

/// A rendition on its way into segments and the playlist of them.
struct SegmentedTrack {
  let rendition: HLSPlan.Rendition
  /// Its folder, such as `video-1`.
  let folder: String
  private let options: HLSOptions
  private let files: any PresentationFiles
  private var writer: TrackSegmentWriter<PresentationSink>
  private var track: MovieTrack
  private var boundary = 0
  /// When decoding of the fragment that is gathered begins, in microseconds.
  private var fragmentStart: Int64?
  private var isBegun = false
  /// The file that all segments are ranges of, in the form `ranges`.
  private var media: (any PresentationFile)?
  /// The offset at which the room for the index of that file begins.
  private var indexStart = 0
  /// The offset at which the segments of that file begin.
  private var mediaStart = 0

  private(set) var header: [UInt8] = []
  private(set) var segments: [WrittenFragment] = []
  private(set) var samples = 0
  private(set) var keyFrames = 0
  private(set) var changes = 0

  init(
    _ rendition: HLSPlan.Rendition, folder: String, _ options: HLSOptions,
    in files: any PresentationFiles
  ) throws {
    self.rendition = rendition
    self.folder = folder
    self.options = options
    self.files = files
    guard let track = try MovieTrack.all(of: [rendition.coded], in: .mp4).first else {
      throw MediaError(.misuse, of: .part("track"), "is missing")
    }
    self.track = track
    writer = try TrackSegmentWriter(track.new, to: PresentationSink(), origin: rendition.origin)
  }

  mutating func change(to format: CodedTrack.Format) throws {
    changes += 1
    if isBegun { try track.changeInBand(to: format) } else { try track.change(to: format) }
  }

  mutating func add(_ sample: CodedSample) throws {
    var sample = sample
    sample.track = 0
    samples += 1
    if sample.isSync { keyFrames += 1 }
    for part in try track.sample(sample).parts { try writer.add(part) }
    let time = try rendition.microseconds(sample.presentationTime)
    let decoded = try rendition.microseconds(sample.decodeTime)
    let boundaries = rendition.boundaries
    guard let start = fragmentStart else {
      fragmentStart = decoded
      while boundary < boundaries.count, time >= boundaries[boundary] { boundary += 1 }
      return
    }
    let isDue = boundary < boundaries.count && time >= boundaries[boundary]
    if isDue, !rendition.isVideo || sample.isSync {
      try cut()
      try endSegment()
      while boundary < boundaries.count, time >= boundaries[boundary] { boundary += 1 }
    } else if try endsFragment(decoded - start, sample) {
      try cut()
    } else {
      return
    }
    fragmentStart = decoded
  }

  private func endsFragment(_ passed: Int64, _ sample: CodedSample) throws -> Bool {
    guard let length = options.fragmentDuration?.rounded(to: 1_000_000) else {
      return rendition.isVideo && sample.isSync && passed >= Self.shortestFragment
    }
    return passed >= length - SegmentBoundaries.tolerance
  }

  /// The shortest fragment, in microseconds: where every picture is a key frame, not each gets a fragment.
  private static var shortestFragment: Int64 { 250_000 }

  private mutating func cut() throws {
    if !isBegun { try begin() }
    try writer.cut()
  }

  private mutating func begin() throws {
    writer.track = try track.described(in: .mp4, isComplete: false)
    track.settle()
    isBegun = true
    try writer.writeHeader()
    let bytes = (writer.sink.target as? ArraySink)?.bytes ?? []
    header = bytes
    let file = try files.file("\(folder)/\(headerName)")
    writer.sink.target = file
    try writer.sink.append(bytes.span)
    if options.form == .ranges {
      media = file
      indexStart = writer.sink.count
      try writer.reserveIndex(of: rendition.boundaries.count + 1)
      mediaStart = writer.sink.count
    }
    try writer.sink.passOn()
  }

  private var headerName: String { options.form == .ranges ? "media.mp4" : "init.mp4" }

  private mutating func endSegment() throws {
    let isFile = options.form == .files
    if isFile { writer.sink.target = try files.file("\(folder)/\(segmentName(segments.count))") }
    if let segment = try writer.writeSegment(isFile: isFile) { segments.append(segment) }
  }

  private func segmentName(_ index: Int) -> String { "\(index + 1).m4s" }

  mutating func finish() throws {
    try writer.close()
    if writer.hasSamples { try cut() }
    if isBegun { try endSegment() }
    guard let media, !segments.isEmpty else { return }
    let room = mediaStart - indexStart
    try media.replace(at: indexStart, with: try writer.index(of: segments, filling: room))
  }

  // MARK: - What it came to

  /// How long each segment lasts: until the next one is shown.
  var durations: [RationalTime] {
    segments.indices.map { index in
      let end = index + 1 < segments.count ? segments[index + 1].start : segments[index].end
      let start = segments[index].start
      let value = (end.rounded(to: 1_000_000) ?? 0) - (start.rounded(to: 1_000_000) ?? 0)
      return RationalTime(max(0, value), per: 1_000_000)
    }
  }

  var rates: SegmentRates {
    SegmentRates(segments: zip(segments, durations).map { ($0.size, $1.value) })
  }

  var isIndependent: Bool { segments.allSatisfy { $0.startsWithSync && !$0.startsWithLeading } }

  func playlist(targetDuration: Int) -> MediaPlaylist {
    var playlist = MediaPlaylist()
    playlist.targetDuration = targetDuration
    playlist.kind = .vod
    playlist.isEnded = true
    playlist.hasIndependentSegments = isIndependent
    var map = MediaPlaylist.Header(headerName)
    var position = mediaStart
    if options.form == .ranges { map.range = PlaylistByteRange(count: header.count, start: 0) }
    for (index, duration) in durations.enumerated() {
      let isRange = options.form == .ranges
      var segment = MediaPlaylist.Segment(
        isRange ? headerName : segmentName(index), duration: duration)
      segment.header = map
      if isRange { segment.range = PlaylistByteRange(count: segments[index].size, start: position) }
      position += segments[index].size
      playlist.segments.append(segment)
    }
    return playlist
  }
}
