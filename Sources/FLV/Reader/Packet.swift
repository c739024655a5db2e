// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The data of a tag for one track, the same for both forms.
public struct Packet: Sendable {
  /// The purpose of a packet's data, for video and audio alike.
  public enum Kind: Hashable, Sendable {
    /// The configuration that a decoder needs before the first frame.
    case configuration
    case frames
    /// The end of the sequence.
    case end
    /// Metadata that apply to the following frames: `colorInfo`.
    case metadata
    /// The speaker for each channel.
    case channels
    /// A command to the player.
    case command
    case other
  }

  /// The form of a tag: that of Flash Video, or that of Enhanced RTMP.
  public enum Form: Hashable, Sendable {
    case legacy, enhanced
  }

  /// The form of the tag.
  public var form: Form
  /// The purpose of the data.
  public var kind: Kind
  /// The codec, by one name for both forms.
  public var codec: Codec
  /// The track ID of Enhanced RTMP; 0 for a packet without one.
  public var trackID: UInt8 = 0
  /// The type of a video frame.
  public var frameType = FrameType.key
  /// Milliseconds from decoding to presentation.
  public var compositionTime: Int32 = 0
  /// The nanoseconds that are added to the composition time.
  public var nanoseconds: UInt32 = 0
  /// The range of the configuration or the frames in the input.
  public var data: Range<Int>
}

// MARK: - The everyday forms

extension Packet {
  /// Creates the packet of a tag with one track and no modifier from its first bytes; `nil` for other tags, which
  /// `packets(in:)` reads by their declaration. The tests compare both ways.
  ///
  /// - Parameters:
  ///   - head: the first bytes of the data, eight or all.
  ///   - data: the range of the data in the input.
  public init?(_ type: TagType, _ head: Span<UInt8>, data: Range<Int>) {
    guard head.count > 0, data.count >= head.count else { return nil }
    switch type {
    case .video:
      guard let packet = Self.video(head, data) else { return nil }
      self = packet
    case .audio:
      guard let packet = Self.audio(head, data) else { return nil }
      self = packet
    default: return nil
    }
  }

  @inline(__always)
  private static func video(_ head: Span<UInt8>, _ data: Range<Int>) -> Packet? {
    let first = head[0]
    let frameType = FrameType(rawValue: first >> 4 & 7)
    guard frameType != .command else { return nil }
    if first & 0x80 == 0 {
      let codec = Codec(codecID: first & 15)
      guard codec.hasNALUnits else {
        return Packet(
          form: .legacy, kind: .frames, codec: codec, frameType: frameType,
          data: data.dropFirst(1))
      }
      guard head.count >= 5 else { return nil }
      return Packet(
        form: .legacy, kind: kind(legacy: head[1]), codec: codec, frameType: frameType,
        compositionTime: signed24(head, at: 2), data: data.dropFirst(5))
    }
    let type = VideoPacketType(rawValue: first & 15)
    guard type.rawValue <= 4, head.count >= 5 else { return nil }
    let code = FourCC(UInt32(bigEndianBytes: head, at: 1, count: 4))
    var packet = Packet(
      form: .enhanced, kind: kind(type), codec: .fourCC(code), frameType: frameType,
      data: data.dropFirst(5))
    if type == .codedFrames, EnhancedVideo.hasCompositionTime(code) {
      guard head.count >= 8 else { return nil }
      packet.compositionTime = signed24(head, at: 5)
      packet.data = data.dropFirst(8)
    }
    return packet
  }

  @inline(__always)
  private static func audio(_ head: Span<UInt8>, _ data: Range<Int>) -> Packet? {
    let format = SoundFormat(rawValue: head[0] >> 4)
    if format == .exHeader {
      let type = AudioPacketType(rawValue: head[0] & 15)
      guard type.rawValue <= 2, head.count >= 5 else { return nil }
      return Packet(
        form: .enhanced, kind: kind(type),
        codec: .fourCC(FourCC(UInt32(bigEndianBytes: head, at: 1, count: 4))),
        data: data.dropFirst(5))
    }
    guard format == .aac else {
      return Packet(
        form: .legacy, kind: .frames, codec: Codec(format), data: data.dropFirst(1))
    }
    guard head.count >= 2 else { return nil }
    return Packet(
      form: .legacy, kind: head[1] == 0 ? .configuration : head[1] == 1 ? .frames : .other,
      codec: .aac, data: data.dropFirst(2))
  }

  @inline(__always)
  private static func signed24(_ bytes: Span<UInt8>, at index: Int) -> Int32 {
    Int32(bitPattern: UInt32(bigEndianBytes: bytes, at: index, count: 3) << 8) >> 8
  }

  static func kind(legacy type: UInt8) -> Kind {
    switch type {
    case 0: .configuration
    case 1: .frames
    case 2: .end
    default: .other
    }
  }

  static func kind(_ type: VideoPacketType) -> Kind {
    switch type {
    case .sequenceStart: .configuration
    case .codedFrames, .codedFramesX: .frames
    case .sequenceEnd: .end
    case .metadata: .metadata
    default: .other
    }
  }

  static func kind(_ type: AudioPacketType) -> Kind {
    switch type {
    case .sequenceStart: .configuration
    case .codedFrames: .frames
    case .sequenceEnd: .end
    case .multichannelConfig: .channels
    default: .other
    }
  }
}
