// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusMedia
public import ApusSamples

/// Writes the samples of one HEVC or AVC track as a byte stream (ITU-T H.265 and H.264, Annex B), its
/// parameter sets before each random access picture that does not bring its own.
public struct AnnexBOutput<Sink: ByteSink>: SampleOutput {
  /// The destination, with the bytes written so far.
  public private(set) var sink: Sink
  private let track: Int
  private var maker: ByteStreamMaker
  private let isLive: Bool

  /// Returns the track that is written; `nil` where none can be.
  public static func choice(of tracks: [CodedTrack]) -> Int? {
    tracks.firstIndex { track in
      switch track.format {
      case .hevc, .avc: track.kind == .video
      case .aac, .other: false
      }
    }
  }

  /// - Parameter isLive: whether each picture is passed on to the sink at once.
  public init(_ tracks: [CodedTrack], to sink: Sink, isLive: Bool = false) throws {
    guard let track = Self.choice(of: tracks) else {
      throw MediaError(.misuse, of: .part("tracks"), "hold no HEVC or AVC video for a byte stream")
    }
    maker = try ByteStreamMaker(tracks[track])
    self.track = track
    self.sink = sink
    self.isLive = isLive
  }

  public mutating func add(_ event: SourceEvent) throws {
    switch event {
    case .format(let index, let changed):
      if index == track { try maker.change(to: changed) }
    case .sample(let sample):
      if sample.track == track { try add(sample) }
    }
  }

  private mutating func add(_ sample: CodedSample) throws {
    let bytes = try maker.bytes(of: sample)
    try sink.append(bytes.span)
    if isLive { try sink.passOn() }
  }

  public mutating func finish() throws {}
}
