// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples
internal import HEVC

/// Writes samples into a container that a library's muxer makes.
///
/// The beginning of such a container includes values that are known at its end only. A caller that can read the samples
/// twice writes them into a `CountingSink` first and passes `replaced` to the actual output.
struct MuxedOutput<Sink: ByteSink>: SampleOutput {
  /// The offset of bytes that were written, and the bytes that replaced them later.
  typealias Replacement = (offset: Int, bytes: [UInt8])

  private(set) var sink: Sink
  /// The replacements so far, in the order in which they were made.
  private(set) var replaced: [Replacement] = []
  private let muxer: any ContainerMuxer
  private var tracks: [MuxedTrack]
  /// The replacements that are applied to bytes when they are first written; `nil` where there are none.
  private let known: [Replacement]?
  private var count = 0
  private let isLive: Bool

  /// - Parameters:
  ///   - known: `replaced` of an earlier pass; `nil` where the samples can be read only once.
  ///   - isLive: whether each sample is passed on to the sink at once.
  init(
    _ tracks: [CodedTrack], in target: RemuxTarget, by muxer: any ContainerMuxer, to sink: Sink,
    known: [Replacement]? = nil, isLive: Bool = false
  ) throws {
    self.sink = sink
    self.muxer = muxer
    self.known = known
    self.isLive = isLive
    self.tracks = try tracks.map { try MuxedTrack($0, in: target) }
  }

  /// The shift that was added to all times.
  var shift: RationalTime { muxer.shift }

  mutating func add(_ event: SourceEvent) throws {
    switch event {
    case .format(let track, let format): try tracks[track].change(to: format)
    case .sample(var sample):
      sample.payload = try tracks[sample.track].payload(of: sample)
      try muxer.add(sample)
      try takePieces()
      if isLive { try sink.passOn() }
    }
  }

  mutating func finish() throws {
    try muxer.finish()
    try takePieces()
    guard let known else { return }
    let isSame =
      known.count == replaced.count
      && zip(known, replaced).allSatisfy { $0.offset == $1.offset && $0.bytes == $1.bytes }
    guard isSame else {
      throw MediaError(.invalid, of: .input, "was changed while it was read")
    }
  }

  private mutating func takePieces() throws {
    for piece in try muxer.takePieces() {
      let old = min(piece.bytes.count, max(0, count - piece.offset))
      if old > 0 { replaced.append((piece.offset, Array(piece.bytes.prefix(old)))) }
      guard old < piece.bytes.count else { continue }
      guard piece.offset + old == count else {
        throw MediaError(.unsupported, of: .part("container"), "leaves a gap at byte \(count)")
      }
      var bytes = Array(piece.bytes.dropFirst(old))
      for (offset, later) in known ?? [] {
        let start = max(offset, count)
        let end = min(offset + later.count, count + bytes.count)
        guard start < end else { continue }
        bytes.replaceSubrange(
          start - count..<end - count, with: later[start - offset..<end - offset])
      }
      try sink.append(bytes.span)
      count += bytes.count
    }
  }
}
