// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia

/// Writes one track as a header and segments, each of which can be decoded after the header alone: ISO/IEC
/// 23000-19 (CMAF), 7.3.
///
/// Media times are those of the presentation, which begins at 0: composition offsets may be negative, and an edit list
/// only hides media before the start. The header and each segment may go to different sinks.
public struct TrackSegmentWriter<Sink: ByteSink> {
  /// The destination of the next header or segment, which may be replaced in between.
  public var sink: Sink
  /// The track, whose sample entries may be changed or added until the header is written.
  public var track: NewTrack
  /// The input time at which the presentation begins.
  private let origin: RationalTime
  private var pending: PendingFragment
  private var fragments: [SegmentFragment] = []
  /// The number of fragments in parts that were written already.
  private var fragmentsInParts = 0
  private var timeline: TrackTimeline?
  private var sequenceNumber: UInt32 = 0

  /// Creates a writer; throws for a track that cannot be expressed in a file.
  ///
  /// - Parameters:
  ///   - origin: the input time at which the presentation begins.
  ///   - number: the ID of the track.
  public init(_ track: NewTrack, to sink: Sink, origin: RationalTime, number: Int = 1)
    throws(SyntaxError)
  {
    try NewTrack.check([track])
    self.track = track
    self.sink = sink
    self.origin = origin
    pending = PendingFragment(number: number)
  }

  /// Adds the next sample in decoding order.
  public mutating func add(_ sample: NewSample) throws(SyntaxError) { try pending.add(sample) }

  /// Declares that no sample follows, so that the last one keeps its own duration.
  public mutating func close() throws(SyntaxError) {
    try pending.close(default: track.defaultDuration)
  }

  /// Whether there are samples with a known duration that are in no fragment yet.
  public var hasSamples: Bool { pending.completeCount > 0 }

  /// Writes `ftyp` and `moov`; the samples of the first fragment must be present, because they determine how times
  /// begin.
  public mutating func writeHeader() throws(SyntaxError) {
    let timeline = try pending.begin(signedAt: origin, per: track.timescale)
    self.timeline = timeline
    let frame = MovieFrame(
      style: .mp4, timescale: TrackTimeline.timescale(of: [track.timescale]))
    var writer = SyntaxWriter(ArraySink())
    try Node("ftyp", Self.fileType(hasEdits: timeline.hasEdits, track)).write(to: &writer)
    try frame.fragmented(NewMovie(), [track], [timeline]).write(to: &writer)
    try sink.append(writer.sink.bytes.span)
  }

  /// Makes a fragment of all samples with a known duration, if there are any.
  ///
  /// - Parameter keepsLast: whether the last of them is left for the next fragment; if it is the only one, no fragment
  ///   is made.
  public mutating func cut(keepsLast: Bool = false) throws(SyntaxError) {
    guard hasSamples, let timeline else { return }
    guard !keepsLast || pending.keepLast() else { return }
    sequenceNumber &+= 1
    let fragment = try SegmentFragment(
      &pending, track, sequenceNumber: sequenceNumber, hidden: timeline.mediaStart)
    if keepsLast { pending.takeBackLast() }
    fragments.append(fragment)
  }

  /// Writes the cut fragments as a segment; returns `nil` if there are none.
  ///
  /// - Parameter isFile: whether the segment is a separate file, which begins with its type and, if it has several
  ///   fragments, an index of them.
  public mutating func writeSegment(isFile: Bool) throws(SyntaxError) -> WrittenFragment? {
    guard let first = fragments.first else { return nil }
    var written = first.written
    for fragment in fragments.dropFirst() { written = written.joined(with: fragment.written) }
    var writer = SyntaxWriter(ArraySink())
    if isFile {
      try Node("styp", Self.segmentType(isIndexed: fragments.count > 1)).write(to: &writer)
      if fragments.count > 1 {
        try Self.index(of: fragments.map(\.written), per: track.timescale).write(to: &writer)
      }
      written.keyFrames = written.keyFrames(movedBy: writer.sink.count)
      written.size += writer.sink.count
    }
    try sink.append(writer.sink.bytes.span)
    for fragment in fragments { try fragment.write(to: &sink) }
    try sink.passOn()
    fragments = []
    fragmentsInParts = 0
    return written
  }

  /// Writes the fragments cut since the last part as a separate part, and keeps them for their segment; returns `nil`
  /// if there are none.
  public mutating func writePart<Part: ByteSink>(to sink: inout Part) throws(SyntaxError)
    -> WrittenFragment?
  {
    let part = fragments[fragmentsInParts...]
    guard let first = part.first else { return nil }
    var written = first.written
    for fragment in part.dropFirst() { written = written.joined(with: fragment.written) }
    for fragment in part { try fragment.write(to: &sink) }
    fragmentsInParts = fragments.count
    return written
  }

  /// Reserves room for an index of this number of segments, which `index(of:filling:)` fills.
  public mutating func reserveIndex(of count: Int) throws(SyntaxError) {
    let empty = try Self.index(
      of: Array(repeating: .empty, count: count), per: track.timescale)
    var writer = SyntaxWriter(ArraySink())
    try Self.free(try empty.size()).write(to: &writer)
    try sink.append(writer.sink.bytes.span)
  }

  /// Returns the bytes of the index for contiguous segments, padded with free space to the size that was reserved.
  public func index(of segments: [WrittenFragment], filling room: Int) throws(SyntaxError)
    -> [UInt8]
  {
    var node = try Self.index(of: segments, per: track.timescale)
    let size = try node.size()
    var space: Node?
    if room != size {
      guard room - size >= BoxHeader("free").count else {
        throw SyntaxError(
          .misuse, field: "sidx", detail: "of \(size) bytes does not fit \(room)")
      }
      space = Self.free(room - size)
      node = try Self.index(of: segments, per: track.timescale, firstOffset: room - size)
    }
    var writer = SyntaxWriter(ArraySink())
    try node.write(to: &writer)
    try space?.write(to: &writer)
    return writer.sink.bytes
  }

  /// Returns a free-space box of a total size.
  private static func free(_ count: Int) -> Node {
    var space = FreeSpace()
    space.data = Extent([UInt8](repeating: 0, count: count - BoxHeader("free").count))
    return Node("free", space)
  }

  // MARK: - Boxes

  /// Returns `ftyp`; the brand `cmf2` rules out edit lists.
  private static func fileType(hasEdits: Bool, _ track: NewTrack) -> FileType {
    var type = FileType()
    type.majorBrand = "iso6"
    type.compatibleBrands = hasEdits ? ["iso6", "cmfc"] : ["iso6", "cmfc", "cmf2"]
    type.addBrands(of: [track])
    return type
  }

  private static func segmentType(isIndexed: Bool) -> FileType {
    var type = FileType()
    type.majorBrand = "cmfs"
    type.compatibleBrands = isIndexed ? ["cmfs", "msdh", "msix"] : ["cmfs", "msdh"]
    return type
  }

  /// Returns an `sidx` for contiguous ranges.
  private static func index(
    of parts: [WrittenFragment], per timescale: UInt32, firstOffset: Int = 0
  ) throws(SyntaxError) -> Node {
    func refusal(_ field: String, _ detail: String) -> SyntaxError {
      SyntaxError(.misuse, field: field, path: "sidx", detail: detail)
    }
    guard parts.count <= UInt16.max else {
      throw refusal("reference_count", "of \(parts.count) needs more than 16 bits")
    }
    var index = SegmentIndex()
    index.header.version = 1
    index.timescale = timescale
    index.firstOffset = UInt64(clamping: firstOffset)
    let start = parts.first?.start.rounded(to: timescale) ?? 0
    index.earliestPresentationTime = UInt64(clamping: start)
    var rows: [[Int64]] = []
    for part in parts {
      guard part.size < 1 << 31 else {
        throw refusal("referenced_size", "of \(part.size) needs more than 31 bits")
      }
      guard let begin = part.start.rounded(to: timescale),
        let end = part.end.rounded(to: timescale),
        let duration = UInt32(exactly: end &- begin)
      else { throw refusal("subsegment_duration", "needs more than 32 bits") }
      let access = part.accessType
      rows.append([0, Int64(part.size), Int64(duration), access > 0 ? 1 : 0, access, 0])
    }
    index.references = try Table(columns: SegmentIndex.columns, rows: rows)
    return Node("sidx", index)
  }
}

extension WrittenFragment {
  fileprivate static var empty: WrittenFragment {
    WrittenFragment(
      size: 0, start: .milliseconds(0), end: .milliseconds(0), samples: 0, length: .milliseconds(0),
      startsWithSync: true, startsWithLeading: false, hasSync: true)
  }
}
