// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia

/// A fragment of one track that waits for the others in its segment.
struct SegmentFragment: Sendable {
  /// The box `moof`.
  let node: Node
  /// The number of bytes of media data.
  let size: Int
  let payloads: [Extent]
  let written: WrittenFragment

  /// Takes the complete samples out of `pending`.
  ///
  /// - Parameter hidden: the duration of media that is not presented, in the track's timescale.
  init(
    _ pending: inout PendingFragment, _ track: NewTrack, sequenceNumber: UInt32, hidden: Int64
  ) throws(SyntaxError) {
    let fragment = try MovieFragment([pending], [track], sequenceNumber: sequenceNumber)
    var start = Int64.max
    var end = Int64.min
    var first: Int64?
    var length: Int64 = 0
    for sample in pending.complete {
      // Below 2^63, because both were checked when the samples were added.
      let decoded = Int64(clamping: try pending.mediaTime(of: sample)) - hidden
      let shown = decoded + (try pending.offset(of: sample))
      if first == nil { first = shown }
      start = min(start, shown)
      end = max(end, shown + (sample.duration ?? 0))
      length += sample.duration ?? 0
    }
    let samples = pending.removeComplete()
    node = fragment.node
    size = fragment.size
    payloads = samples.map(\.payload)
    let header = Node.mediaDataHeader(count: fragment.size).count
    let overhead = try node.size() + header
    var written = WrittenFragment(
      size: overhead + fragment.size,
      start: RationalTime(max(0, start), per: track.timescale),
      end: RationalTime(max(0, end), per: track.timescale), samples: samples.count,
      length: RationalTime(length, per: track.timescale),
      startsWithSync: samples.first?.isSync == true, startsWithLeading: start < first ?? start,
      hasSync: samples.contains(where: \.isSync))
    if let key = samples.first, key.isSync, let first {
      written.keyFrames = [
        WrittenFragment.KeyFrame(
          offset: 0, size: overhead + key.payload.count,
          start: RationalTime(max(0, first), per: track.timescale))
      ]
    }
    self.written = written
  }

  /// Writes `moof` and `mdat`.
  func write(to sink: inout some ByteSink) throws(SyntaxError) {
    var writer = SyntaxWriter(ArraySink())
    try node.write(to: &writer)
    try sink.append(writer.sink.bytes.span)
    try sink.append(Node.mediaDataHeader(count: size), body: size)
    for payload in payloads { try sink.append(payload) }
  }
}
