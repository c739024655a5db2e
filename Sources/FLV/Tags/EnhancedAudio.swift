// SPDX-License-Identifier: MIT

public import ApusBytes

/// A packet with a four-character code: Enhanced RTMP v2, "Enhanced Audio".
public struct EnhancedAudio: Sendable {
  public var modifiers: [PacketModifier] = []
  /// The type of the packet: 5 announces a multitrack packet, whose actual type is `innerPacketType`.
  public var packetType = AudioPacketType.codedFrames
  public var multitrackType = MultitrackType.oneTrack
  public var innerPacketType = AudioPacketType.codedFrames
  /// The codec of all tracks: `mp4a`, `Opus`, `fLaC`, `ac-3`, `ec-3`, `.mp3`.
  public var fourCC: FourCC = "mp4a"
  /// The tracks: one, unless the packet has several.
  public var tracks: [Track] = [Track()]

  /// A track of the packet.
  public struct Track: Blank, Sendable {
    /// The codec of this track, if each track of the packet has its own.
    public var fourCC: FourCC = "mp4a"
    /// The ID of the track; 0 in a packet without several.
    public var id: UInt8 = 0
    /// The data of the track.
    public var content = Content.data(Extent())

    /// The data of a track, by the type of the packet.
    public enum Content: Sendable {
      /// A configuration, a frame, or nothing.
      case data(Extent)
      case channels(MultichannelConfig)
    }

    public init() {}
    /// Creates a track with a configuration or a frame.
    public init(id: UInt8 = 0, data: Extent) {
      self.id = id
      content = .data(data)
    }

    /// The configuration or the frame; empty if the track has none.
    public var data: Extent {
      if case .data(let data) = content { data } else { Extent() }
    }
  }

  public init() {}

  /// Creates a packet of one track.
  public init(_ packetType: AudioPacketType, _ fourCC: FourCC, data: Extent = Extent()) {
    self.packetType = packetType
    self.fourCC = fourCC
    tracks = [Track(data: data)]
  }

  /// Whether the packet has track IDs.
  public var isMultitrack: Bool { packetType == .multitrack }
  /// The type of the tracks' data.
  public var contentType: AudioPacketType { isMultitrack ? innerPacketType : packetType }

  /// Returns the codec of a track.
  public func codec(of track: Track) -> FourCC {
    isMultitrack && multitrackType == .manyTracksManyCodecs ? track.fourCC : fourCC
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try PacketModifier.list(&modifiers, "AudioPacketType", &packetType.rawValue, &v)
    if isMultitrack {
      try v.u(4, "multitrackType", &multitrackType)
      try v.u(4, "AudioPacketType", &innerPacketType.rawValue)
      guard multitrackType.rawValue <= 2, innerPacketType != .multitrack else {
        throw v.failure(
          .invalid, "multitrackType", "is \(multitrackType.rawValue) around \(innerPacketType)")
      }
    }
    let isMixed = isMultitrack && multitrackType == .manyTracksManyCodecs
    if !isMixed { try v.u(32, "audioFourCc", &fourCC) }
    let isMany = isMultitrack && multitrackType != .oneTrack
    let packet = self
    try v.list("track", &tracks, count: isMany ? nil : 1) { track, v throws(SyntaxError) in
      if isMixed { try v.u(32, "audioFourCc", &track.fourCC) }
      if packet.isMultitrack { try v.u(8, "audioTrackId", &track.id) }
      guard isMany else { return try packet.body(of: &track, &v) }
      let count = try v.count(24, "sizeOfAudioTrack", track.size)
      try v.sized("track", count) { v throws(SyntaxError) in try packet.body(of: &track, &v) }
    }
  }

  private func body<V: SyntaxVisitor>(of track: inout Track, _ v: inout V) throws(SyntaxError) {
    if v.isReading, contentType == .multichannelConfig {
      track.content = .channels(MultichannelConfig())
    }
    switch track.content {
    case .channels(var channels):
      try channels.syntax(&v)
      track.content = .channels(channels)
    case .data(var data):
      try v.extent("data", &data, count: nil)
      track.content = .data(data)
    }
  }
}

extension EnhancedAudio.Track {
  fileprivate var size: Int {
    switch content {
    case .data(let data): data.count
    case .channels(let channels): channels.size
    }
  }
}

/// The type of a packet's data: Enhanced RTMP v2, `AudioPacketType`.
public struct AudioPacketType: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The configuration of the decoder.
  public static let sequenceStart = AudioPacketType(rawValue: 0)
  /// A frame of sound.
  public static let codedFrames = AudioPacketType(rawValue: 1)
  /// The end of the sequence, without data.
  public static let sequenceEnd = AudioPacketType(rawValue: 2)
  /// The speaker for each channel.
  public static let multichannelConfig = AudioPacketType(rawValue: 4)
  /// A packet with track IDs, whose actual type follows.
  public static let multitrack = AudioPacketType(rawValue: 5)
  /// A modifier before the packet, whose actual type follows.
  public static let modEx = AudioPacketType(rawValue: 7)
}

extension AudioPacketType: CustomStringConvertible {
  /// The name in Enhanced RTMP.
  public var description: String {
    switch self {
    case .sequenceStart: "SequenceStart"
    case .codedFrames: "CodedFrames"
    case .sequenceEnd: "SequenceEnd"
    case .multichannelConfig: "MultichannelConfig"
    case .multitrack: "Multitrack"
    case .modEx: "ModEx"
    default: "packet type \(rawValue)"
    }
  }
}
