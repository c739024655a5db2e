// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
internal import ApusMedia
internal import ApusSamples
internal import HLS
internal import ISOBMFF

/// A rendition that is being divided into segments, and their playlist.
struct SegmentedTrack {
  let rendition: HLSPlan.Rendition
  /// Its folder, such as `video-1`.
  let folder: String
  let options: HLSOptions
  private let files: any PresentationFiles
  private var writer: TrackSegmentWriter<PresentationSink>
  private var track: MovieTrack
  /// The times at which all segments but the first begin, in microseconds, as far as known.
  private var boundaries: [Int64]
  private var boundary = 0
  /// The name of the header where segments are files.
  private let ownHeaderName: String
  /// The number of the first segment, and the number of segments that were taken from here.
  let firstNumber: Int
  var taken = 0
  /// The decoding time at which the fragment being gathered begins, in microseconds.
  private var fragmentStart: Int64?
  /// The presentation time of the key frame, if nothing else was gathered.
  private var loneKey: RationalTime?
  private var isBegun = false
  /// The file of which all segments are ranges, in the form `ranges`.
  private var media: (any PresentationFile)?
  /// The offset of the space reserved for the index of that file.
  private var indexStart = 0
  /// The offset at which the segments of that file begin.
  var mediaStart = 0

  /// The cutter for the parts of segments; `nil` where there are none.
  private(set) var cutter: PartCutter?
  /// Parts that are written and not yet taken.
  private var parts: [SegmentedPart] = []

  private(set) var header: [UInt8] = []
  private(set) var segments: [WrittenFragment] = []
  private(set) var samples = 0
  private(set) var keyFrames = 0
  private(set) var changes = 0
  var captions: CaptionSearch?

  init(
    _ rendition: HLSPlan.Rendition, folder: String, _ options: HLSOptions,
    in files: any PresentationFiles, headerName: String = "init.mp4", firstNumber: Int = 1,
    cutter: PartCutter? = nil
  ) throws {
    self.cutter = cutter
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

  /// Makes the next segment begin at this time, in microseconds of the presentation.
  mutating func addBoundary(_ time: Int64) {
    boundaries.removeFirst(boundary)
    boundary = 0
    boundaries.append(time)
  }

  /// Returns the segments written so far and removes them from here.
  mutating func takeSegments() -> [(name: String, written: WrittenFragment, hasParts: Bool)] {
    let result = segments.enumerated().map { place, segment in
      let hasParts = cutter?.isWhole(segment: taken + place) == true
      return (segmentName(taken + place), segment, hasParts)
    }
    taken += segments.count
    segments = []
    return result
  }

  /// Returns the parts written so far and removes them from here.
  mutating func takeParts() -> [SegmentedPart] {
    defer { parts = [] }
    return parts
  }

  /// Sets the longest duration of parts from now on, in microseconds.
  mutating func limitParts(to limit: Int64) { cutter?.limit = limit }

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
    defer { cutter?.note(sampleAt: decoded) }
    guard let start = fragmentStart else {
      begin(fragment: sample, at: decoded)
      cutter?.start = decoded
      while boundary < boundaries.count, time >= boundaries[boundary] { boundary += 1 }
      return
    }
    if let cutter, cutter.isTooLong(until: decoded), let last = cutter.last {
      // The last picture was shown longer than expected.
      try cut(keepsLast: true)
      try endPart(at: last)
      fragmentStart = last
    }
    let isDue = boundary < boundaries.count && time >= boundaries[boundary]
    if isDue, !rendition.isVideo || sample.isSync {
      try cut()
      try endPart(at: decoded)
      try endSegment()
      while boundary < boundaries.count, time >= boundaries[boundary] { boundary += 1 }
    } else if cutter?.isDue(at: decoded) == true {
      try cut()
      try endPart(at: decoded)
    } else if try endsFragment(decoded - start, sample) {
      try cut()
    } else if let key, !sample.isSync, !sample.presentationTime.isBefore(key) {
      // The key frame becomes a separate fragment, so that the playlist of key frames names whole boxes. This is not
      // done if pictures are shown before it, because then the two fragments would not follow each other in time.
      try cut()
      return
    } else {
      return
    }
    begin(fragment: sample, at: decoded)
  }

  private mutating func begin(fragment sample: CodedSample, at decoded: Int64) {
    fragmentStart = decoded
    if rendition.isVideo, sample.isSync { loneKey = sample.presentationTime }
  }

  /// Writes what was cut since the last part as a part; the next begins at this time.
  private mutating func endPart(at decoded: Int64) throws {
    guard var cutter else { return }
    defer { self.cutter = cutter }
    cutter.start = decoded
    var bytes = ArraySink()
    guard let written = try writer.writePart(to: &bytes) else { return }
    let length = written.length.rounded(to: 1_000_000) ?? 0
    let segment = taken + segments.count
    guard let duration = cutter.duration(ofPart: length, in: segment) else { return }
    let name = SegmentedPart.name(cutter.nextNumber)
    cutter.nextNumber += 1
    var file: any ByteSink = try files.file("\(folder)/\(name)")
    try file.append(bytes.bytes.span)
    try file.passOn()
    parts.append(
      SegmentedPart(
        name: name, segment: segment, duration: RationalTime(duration, per: 1_000_000),
        isIndependent: !rendition.isVideo || written.hasSync))
  }

  private func endsFragment(_ passed: Int64, _ sample: CodedSample) throws -> Bool {
    guard let length = options.fragmentDuration?.rounded(to: 1_000_000) else {
      return rendition.isVideo && sample.isSync && passed >= Self.shortestFragment
    }
    return passed >= length - SegmentBoundaries.tolerance
  }

  /// The shortest fragment, in microseconds: where every picture is a key frame, not each begins a fragment.
  private static var shortestFragment: Int64 { 250_000 }

  private mutating func cut(keepsLast: Bool = false) throws {
    if !isBegun { try begin() }
    try writer.cut(keepsLast: keepsLast)
  }

  private mutating func begin() throws {
    writer.track = try track.described(in: .mp4, isComplete: false)
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

  var headerName: String { options.form == .ranges ? "media.mp4" : ownHeaderName }

  private mutating func endSegment() throws {
    let isFile = options.form == .files
    if isFile {
      writer.sink.target = try files.file("\(folder)/\(segmentName(taken + segments.count))")
    }
    if let segment = try writer.writeSegment(isFile: isFile) { segments.append(segment) }
  }

  func segmentName(_ index: Int) -> String { "\(firstNumber + index).m4s" }

  mutating func finish() throws {
    try writer.close()
    if writer.hasSamples { try cut() }
    if isBegun {
      if cutter?.limit != nil { try endPart(at: cutter?.last ?? 0) }
      try endSegment()
    }
    guard let media, !segments.isEmpty else { return }
    let room = mediaStart - indexStart
    try media.replace(at: indexStart, with: try writer.index(of: segments, filling: room))
  }
}
