// SPDX-License-Identifier: MIT

/// The contents of a file, gathered on one walk.
public struct FLVFacts: Sendable {
  /// A track of pictures or sound.
  public struct Track: Sendable {
    /// Whether it is a track of pictures rather than sound.
    public var isVideo: Bool
    /// The track ID of Enhanced RTMP; 0 for a track without one.
    public var id: UInt8
    /// The codec of the first packet.
    public var codec: Codec
    /// The form of the first packet.
    public var form: Packet.Form
    /// The number of frames.
    public var frames = 0
    /// The number of frames at which a decoder can begin.
    public var keyFrames = 0
    /// The size of all frames in bytes.
    public var bytes = 0
    /// The number of configurations.
    public var configurations = 0
    /// Milliseconds of the first and the last decoding time.
    public var first: Int64?
    /// Milliseconds of the last decoding time; 0 before the first frame.
    public var last: Int64 = 0
    /// The longest distance between two key frames, in milliseconds.
    public var longestKeyInterval: Int64 = 0
    var lastKey: Int64?
  }

  /// The number of tags of all types.
  public internal(set) var tags = 0
  /// The number of script tags.
  public internal(set) var scripts = 0
  /// The tracks, in the order in which they begin.
  public internal(set) var tracks: [Track] = []
  /// The members of the first `onMetaData`; `nil` if there is none.
  public internal(set) var metadata: AMFObject?

  public init() {}

  /// Milliseconds from the first to the last frame.
  public var duration: Int64 {
    let first = tracks.compactMap(\.first).min() ?? 0
    return max(0, (tracks.map(\.last).max() ?? 0) - first)
  }

  /// The dialect; `nil` if there is no HEVC.
  public var dialect: HEVCDialect? {
    tracks.first { $0.codec == .hevc }.map { $0.form == .legacy ? .legacy : .enhanced }
  }

  mutating func index(of packet: Packet, isVideo: Bool) -> Int {
    let index = tracks.firstIndex {
      $0.isVideo == isVideo && $0.id == packet.trackID && $0.codec == packet.codec
        && $0.form == packet.form
    }
    if let index { return index }
    tracks.append(
      Track(isVideo: isVideo, id: packet.trackID, codec: packet.codec, form: packet.form))
    return tracks.count - 1
  }
}
