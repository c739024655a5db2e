// SPDX-License-Identifier: MIT

public import ApusBytes

/// A packet with a four-character code: Enhanced RTMP v2, "Enhanced Video".
public struct EnhancedVideo: Sendable {
  public var modifiers: [PacketModifier] = []
  /// The type of the packet: 6 announces a multitrack packet, whose actual type is `innerPacketType`.
  public var packetType = VideoPacketType.codedFrames
  public var multitrackType = MultitrackType.oneTrack
  public var innerPacketType = VideoPacketType.codedFrames
  /// The codec of all tracks; unused if each has its own.
  public var fourCC: FourCC = "hvc1"
  /// The command, if the frame type is 5 and the packet is not metadata: 0 begins a seek, 1 ends it.
  public var command: UInt8 = 0
  /// The tracks: one, unless the packet has several.
  public var tracks: [Track] = [Track()]

  /// A track of the packet.
  public struct Track: Blank, Sendable {
    /// The codec of this track, if each track of the packet has its own.
    public var fourCC: FourCC = "hvc1"
    /// The ID of the track; 0 in a packet without several.
    public var id: UInt8 = 0
    /// Milliseconds from decoding to presentation.
    public var compositionTime: Int32 = 0
    /// The configuration or the frame; empty if the track has none.
    public var data = Extent()

    public init() {}
    /// Creates a track.
    ///
    /// - Parameter compositionTime: milliseconds from decoding to presentation; written for codecs of NAL units only.
    public init(id: UInt8 = 0, compositionTime: Int32 = 0, data: Extent) {
      self.id = id
      self.compositionTime = compositionTime
      self.data = data
    }
  }

  public init() {}

  /// Creates a packet of one track.
  public init(
    _ packetType: VideoPacketType, _ fourCC: FourCC, compositionTime: Int32 = 0,
    data: Extent = Extent()
  ) {
    self.packetType = packetType
    self.fourCC = fourCC
    tracks = [Track(compositionTime: compositionTime, data: data)]
  }

  /// Whether the packet has track IDs.
  public var isMultitrack: Bool { packetType == .multitrack }
  /// The type of the tracks' data.
  public var contentType: VideoPacketType { isMultitrack ? innerPacketType : packetType }

  /// Returns the codec of a track.
  public func codec(of track: Track) -> FourCC {
    isMultitrack && multitrackType == .manyTracksManyCodecs ? track.fourCC : fourCC
  }

  /// Returns whether frames of a codec are NAL units after a composition time; those of other codecs have none.
  public static func hasCompositionTime(_ codec: FourCC) -> Bool {
    codec == "avc1" || codec == "hvc1" || codec == "vvc1"
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, _ frameType: FrameType)
    throws(SyntaxError)
  {
    try PacketModifier.list(&modifiers, "VideoPacketType", &packetType.rawValue, &v)
    if frameType == .command, packetType != .metadata {
      try v.u(8, "VideoCommand", &command)
      if v.isReading { tracks = [] }
      guard v.isReading ? v.remaining == 0 : tracks.isEmpty else {
        throw v.failure(.invalid, "VideoCommand", "is followed by more bytes")
      }
      return
    }
    if isMultitrack {
      try v.u(4, "multitrackType", &multitrackType)
      try v.u(4, "VideoPacketType", &innerPacketType.rawValue)
      guard multitrackType.rawValue <= 2, innerPacketType != .multitrack else {
        throw v.failure(
          .invalid, "multitrackType", "is \(multitrackType.rawValue) around \(innerPacketType)")
      }
    }
    let isMixed = isMultitrack && multitrackType == .manyTracksManyCodecs
    if !isMixed { try v.u(32, "videoFourCc", &fourCC) }
    let isMany = isMultitrack && multitrackType != .oneTrack
    let packet = self
    try v.list("track", &tracks, count: isMany ? nil : 1) { track, v throws(SyntaxError) in
      if isMixed { try v.u(32, "videoFourCc", &track.fourCC) }
      if packet.isMultitrack { try v.u(8, "videoTrackId", &track.id) }
      guard isMany else { return try packet.body(of: &track, &v) }
      let count = try v.count(24, "sizeOfVideoTrack", packet.size(of: track))
      try v.sized("track", count) { v throws(SyntaxError) in try packet.body(of: &track, &v) }
    }
  }

  private func body<V: SyntaxVisitor>(of track: inout Track, _ v: inout V) throws(SyntaxError) {
    if hasCompositionTime(track) {
      try v.i(24, "compositionTimeOffset", &track.compositionTime)
    }
    try v.extent("data", &track.data, count: nil)
  }

  private func hasCompositionTime(_ track: Track) -> Bool {
    contentType == .codedFrames && Self.hasCompositionTime(codec(of: track))
  }

  private func size(of track: Track) -> Int {
    track.data.count + (hasCompositionTime(track) ? 3 : 0)
  }
}

/// The type of a packet's data: Enhanced RTMP v2, `VideoPacketType`.
public struct VideoPacketType: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The configuration of the decoder.
  public static let sequenceStart = VideoPacketType(rawValue: 0)
  /// A frame, with a composition time if the codec has NAL units.
  public static let codedFrames = VideoPacketType(rawValue: 1)
  /// The end of the sequence, without data.
  public static let sequenceEnd = VideoPacketType(rawValue: 2)
  /// Frames that are presented when they are decoded.
  public static let codedFramesX = VideoPacketType(rawValue: 3)
  /// Metadata for the following frames, such as `colorInfo`.
  public static let metadata = VideoPacketType(rawValue: 4)
  /// A configuration in the form of a transport stream, for AV1 only.
  public static let mpeg2TSSequenceStart = VideoPacketType(rawValue: 5)
  /// A packet with track IDs, whose actual type follows.
  public static let multitrack = VideoPacketType(rawValue: 6)
  /// A modifier before the packet, whose actual type follows.
  public static let modEx = VideoPacketType(rawValue: 7)
}

extension VideoPacketType: CustomStringConvertible {
  /// The name in Enhanced RTMP.
  public var description: String {
    let names = [
      "SequenceStart", "CodedFrames", "SequenceEnd", "CodedFramesX", "Metadata",
      "MPEG2TSSequenceStart", "Multitrack", "ModEx",
    ]
    return Int(rawValue) < names.count ? names[Int(rawValue)] : "packet type \(rawValue)"
  }
}
