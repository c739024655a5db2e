// SPDX-License-Identifier: MIT

/// The contents of a file, gathered on one walk.
public struct FLVFacts: Sendable {
  /// A track of pictures or sound.
  public struct Track: Sendable {
    public var isVideo: Bool
    public var id: UInt8
    public var codec: Codec
    public var form: Packet.Form
    public var frames = 0
    public var keyFrames = 0
    public var bytes = 0
    public var configurations = 0
    /// Milliseconds of the first and the last decoding time.
    public var first: Int64?
    public var last: Int64 = 0
    /// The longest distance between two key frames, in milliseconds.
    public var longestKeyInterval: Int64 = 0
    var lastKey: Int64?
  }

  public internal(set) var tags = 0
  public internal(set) var scripts = 0
  public internal(set) var tracks: [Track] = []
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
