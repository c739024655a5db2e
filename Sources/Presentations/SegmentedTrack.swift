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
  /// The times at which all segments but the first begin, in microseconds, as far as they are known.
  private var boundaries: [Int64]
  private var boundary = 0
  /// The name of the header where segments are files.
  private let ownHeaderName: String
  /// The number of the first segment, and how many are not kept here any more.
  private let firstNumber: Int
  private var taken = 0
  /// When decoding of the fragment that is gathered begins, in microseconds.
  private var fragmentStart: Int64?
  /// When the key frame is shown that is all that is gathered.
  private var loneKey: RationalTime?
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
  private var captions: CaptionSearch?

  init(
    _ rendition: HLSPlan.Rendition, folder: String, _ options: HLSOptions,
    in files: any PresentationFiles, headerName: String = "init.mp4", firstNumber: Int = 1
  ) throws {
    self.rendition = rendition
    boundaries = rendition.boundaries
    ownHeaderName = headerName
    self.firstNumber = firstNumber
    self.folder = folder
    self.options = options
    self.files = files
    guard let track = try MovieTrack.all(of: [rendition.coded], in: .mp4).first else {
      throw MediaError(.misuse, of: .part("track"), "is missing")
    }
    self.track = track
    captions = rendition.isVideo ? CaptionSearch(rendition.coded.format) : nil
    writer = try TrackSegmentWriter(track.new, to: PresentationSink(), origin: rendition.origin)
  }

  /// The next segment begins at this time, in microseconds of the presentation.
  mutating func addBoundary(_ time: Int64) {
    boundaries.removeFirst(boundary)
    boundary = 0
    boundaries.append(time)
  }

  /// The segments that are written, which are not kept here any longer.
  mutating func takeSegments() -> [(name: String, written: WrittenFragment)] {
    let result = segments.enumerated().map { (segmentName(taken + $0.offset), $0.element) }
    taken += segments.count
    segments = []
    return result
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
    try captions?.look(into: sample.payload)
    for part in try track.sample(sample).parts { try writer.add(part) }
    let time = try rendition.microseconds(sample.presentationTime)
    let decoded = try rendition.microseconds(sample.decodeTime)
    let key = loneKey
    loneKey = nil
    guard let start = fragmentStart else {
      fragmentStart = decoded
      if rendition.isVideo, sample.isSync { loneKey = sample.presentationTime }
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
    } else if let key, !sample.isSync, !sample.presentationTime.isBefore(key) {
      // A fragment of its own, so that the playlist of key frames names whole boxes. With pictures that are shown ahead
      // of it the two would not follow each other in time.
      try cut()
      return
    } else {
      return
    }
    fragmentStart = decoded
    if rendition.isVideo, sample.isSync { loneKey = sample.presentationTime }
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
      try writer.reserveIndex(of: boundaries.count + 1)
      mediaStart = writer.sink.count
    }
    try writer.sink.passOn()
  }

  private var headerName: String { options.form == .ranges ? "media.mp4" : ownHeaderName }

  private mutating func endSegment() throws {
    let isFile = options.form == .files
    if isFile {
      writer.sink.target = try files.file("\(folder)/\(segmentName(taken + segments.count))")
    }
    if let segment = try writer.writeSegment(isFile: isFile) { segments.append(segment) }
  }

  private func segmentName(_ index: Int) -> String { "\(firstNumber + index).m4s" }

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

  /// Whether the pictures carry closed captions, or may; `false` where all of them were looked into.
  var mayHaveCaptions: Bool { rendition.isVideo && captions?.isFound != false }

  /// Whether each segment can be decoded without what precedes it. Leading pictures of an open group refer to the one
  /// before, and a player that begins with the segment cannot show them: RFC 8216bis, 4.4.2.1 asks for all samples.
  var isIndependent: Bool { segments.allSatisfy { $0.startsWithSync && !$0.startsWithLeading } }

  /// The key frames with which fragments begin: where each stands among the segments, and how long it is the last.
  private var winding: [(segment: Int, frame: WrittenFragment.KeyFrame, duration: RationalTime)] {
    let frames = segments.enumerated().flatMap { index, segment in
      segment.keyFrames.map { (index, $0) }
    }
    let end = segments.reduce(RationalTime(0, per: 1)) { $0.isBefore($1.end) ? $1.end : $0 }
    return frames.indices.map { index in
      let next = index + 1 < frames.count ? frames[index + 1].1.start : end
      let start = frames[index].1.start.rounded(to: 1_000_000) ?? 0
      let duration = max(0, (next.rounded(to: 1_000_000) ?? 0) - start)
      return (frames[index].0, frames[index].1, RationalTime(duration, per: 1_000_000))
    }
  }

  /// The rates of key frames alone; the second is their target duration.
  var windingRates: (rates: SegmentRates, targetDuration: Int) {
    let winding = winding
    return (
      SegmentRates(segments: winding.map { ($0.frame.size, $0.duration.value) }),
      MediaPlaylist.targetDuration(of: winding.map(\.duration))
    )
  }

  /// The playlist of key frames alone, for winding: RFC 8216, 4.3.3.6. Each is a range from the `moof` of its fragment
  /// to the last byte of the picture.
  func keyFramePlaylist() -> MediaPlaylist {
    var playlist = emptyPlaylist
    let winding = winding
    playlist.targetDuration = MediaPlaylist.targetDuration(of: winding.map(\.duration))
    playlist.isKeyFramesOnly = true
    let isRange = options.form == .ranges
    var starts: [Int] = []
    var position = mediaStart
    for segment in segments {
      starts.append(isRange ? position : 0)
      position += segment.size
    }
    for (index, frame, duration) in winding {
      var segment = MediaPlaylist.Segment(
        isRange ? headerName : segmentName(index), duration: duration)
      segment.header = map
      segment.range = PlaylistByteRange(count: frame.size, start: starts[index] + frame.offset)
      playlist.segments.append(segment)
    }
    return playlist
  }

  private var emptyPlaylist: MediaPlaylist {
    var playlist = MediaPlaylist()
    playlist.kind = .vod
    playlist.isEnded = true
    return playlist
  }

  private var map: MediaPlaylist.Header {
    var map = MediaPlaylist.Header(headerName)
    if options.form == .ranges { map.range = PlaylistByteRange(count: header.count, start: 0) }
    return map
  }

  func playlist(targetDuration: Int) -> MediaPlaylist {
    var playlist = emptyPlaylist
    playlist.targetDuration = targetDuration
    playlist.hasIndependentSegments = isIndependent
    let map = map
    var position = mediaStart
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
