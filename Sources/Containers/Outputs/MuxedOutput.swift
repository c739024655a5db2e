// SPDX-License-Identifier: MIT

internal import Bytes
internal import Flow
internal import HEVC
internal import Media

/// Writes samples into a container that a library's muxer makes.
///
/// Such a container says at its beginning what is known at its end. A caller that can read the samples twice writes
/// them into a `CountingSink` first and gives `replaced` to the output proper.
struct MuxedOutput<Sink: ByteSink>: SampleOutput {
  /// Bytes that were written, and by which they were replaced later.
  typealias Replacement = (offset: Int, bytes: [UInt8])

  private(set) var sink: Sink
  /// What was replaced, in the order in which that came.
  private(set) var replaced: [Replacement] = []
  private let muxer: any ContainerMuxer
  private var tracks: [MuxedTrack]
  /// What stands for bytes as they come; `nil` where none is replaced.
  private let known: [Replacement]?
  private var count = 0
  private let isLive: Bool

  /// - Parameters:
  ///   - known: what `replaced` said; `nil` where the samples come once.
  ///   - isLive: whether someone waits for each sample.
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

  /// What all times were moved by.
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
