// SPDX-License-Identifier: MIT

public import Bytes
public import Media

/// Writes one track as a header and segments, each of which can be decoded after the header alone: ISO/IEC
/// 23000-19 (CMAF), 7.3.
///
/// Media times are those of the presentation, which begins at 0: composition offsets go below 0 instead of an edit
/// list, which only hides what is shown before. The sink may be another for the header and each segment.
public struct TrackSegmentWriter<Sink: ByteSink> {
  public var sink: Sink
  /// Its sample entries may change or be added until the header is written.
  public var track: NewTrack
  /// The time of the input at which the presentation begins.
  private let origin: RationalTime
  private var pending: PendingFragment
  private var fragments: [SegmentFragment] = []
  /// How many of them are in parts that were written already.
  private var fragmentsInParts = 0
  private var timeline: TrackTimeline?
  private var sequenceNumber: UInt32 = 0

  public init(_ track: NewTrack, to sink: Sink, origin: RationalTime, number: Int = 1)
    throws(SyntaxError)
  {
    try NewTrack.check([track])
    self.track = track
    self.sink = sink
    self.origin = origin
    pending = PendingFragment(number: number)
  }

  /// Takes in the sample that is decoded next.
  public mutating func add(_ sample: NewSample) throws(SyntaxError) { try pending.add(sample) }

  /// Says that no sample follows, so that the last one keeps its own duration.
  public mutating func close() throws(SyntaxError) {
    try pending.close(default: track.defaultDuration)
  }

  /// Whether there are samples of which everything is known and that are in no fragment yet.
  public var hasSamples: Bool { pending.completeCount > 0 }

  /// `ftyp` and `moov`; the samples of the first fragment are there by now, for they tell how times begin.
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

  /// Makes a fragment of all samples of which everything is known; nothing where there is none.
  ///
  /// - Parameter keepsLast: whether the last of them is left for the next fragment; nothing is made where it is alone.
  public mutating func cut(keepsLast: Bool = false) throws(SyntaxError) {
    guard hasSamples, let timeline else { return }
    guard !keepsLast || pending.keepLast() else { return }
    sequenceNumber &+= 1
    let fragment = try SegmentFragment(
      &pending, track, sequenceNumber: sequenceNumber, hidden: timeline.mediaStart)
    if keepsLast { pending.takeBackLast() }
    fragments.append(fragment)
  }

  /// Writes the fragments that were cut as a segment; `nil` where there are none.
  ///
  /// - Parameter isFile: whether it stands alone, and so begins with its type and, where it has several fragments,
  ///   an index of them.
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

  /// Writes the fragments that were cut since the last part, alone, and keeps them for their segment; `nil` where there
  /// are none.
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

  /// Room for an index of so many segments, which `index(of:filling:)` fills.
  public mutating func reserveIndex(of count: Int) throws(SyntaxError) {
    let empty = try Self.index(
      of: Array(repeating: .empty, count: count), per: track.timescale)
    var writer = SyntaxWriter(ArraySink())
    try Self.free(try empty.size()).write(to: &writer)
    try sink.append(writer.sink.bytes.span)
  }

  /// The bytes of the index of segments that follow at once, as many as were kept free: with fewer segments than
  /// that some of them stay free.
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

  /// A box of so many bytes in all that says nothing.
  private static func free(_ count: Int) -> Node {
    var space = FreeSpace()
    space.data = Extent([UInt8](repeating: 0, count: count - BoxHeader("free").count))
    return Node("free", space)
  }

  // MARK: - Boxes

  /// `cmf2` asks for no edit lists.
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

  /// `sidx` of stretches that follow each other.
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
