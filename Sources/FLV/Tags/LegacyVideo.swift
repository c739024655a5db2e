// SPDX-License-Identifier: MIT

public import ApusBytes

/// A picture or configuration with a `CodecID`: Flash Video 10.1, E.4.3.1 and E.4.3.2. HEVC with the id 12 has the
/// layout of AVC, which is a convention of Chinese networks and their FFmpeg patches, not a standard.
public struct LegacyVideo: Sendable {
  public var codecID: UInt8 = LegacyVideo.hevc
  /// `AVCPacketType`: 0 configuration, 1 NAL units, 2 end of sequence.
  public var packetType: UInt8 = 1
  /// Milliseconds from decoding to presentation; encoders do write negative ones.
  public var compositionTime: Int32 = 0
  /// `VideoCommand` or `VideoInfo`, if the frame type is 5: 0 begins a seek, 1 ends it.
  public var command: UInt8 = 0
  public var data = Extent()

  /// The `CodecID` of AVC.
  public static let avc: UInt8 = 7
  /// The `CodecID` of HEVC by convention; Flash Video does not define it.
  public static let hevc: UInt8 = 12

  public init() {}

  /// Creates a packet of NAL units or their configuration.
  public init(_ codecID: UInt8, packetType: UInt8, compositionTime: Int32 = 0, data: Extent) {
    self.codecID = codecID
    self.packetType = packetType
    self.compositionTime = compositionTime
    self.data = data
  }

  /// Whether the picture consists of NAL units, after a packet type and a composition time.
  public var hasNALUnits: Bool { codecID == Self.avc || codecID == Self.hevc }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, _ frameType: FrameType)
    throws(SyntaxError)
  {
    try v.u(4, "CodecID", &codecID)
    if frameType == .command {
      try v.u(8, "VideoCommand", &command)
    } else if hasNALUnits {
      try v.u(8, codecID == Self.avc ? "AVCPacketType" : "HEVCPacketType", &packetType)
      try v.i(24, "CompositionTime", &compositionTime)
    }
    try v.extent("data", &data, count: nil)
  }
}
