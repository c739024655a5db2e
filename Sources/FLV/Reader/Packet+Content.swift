// SPDX-License-Identifier: MIT

public import ApusBytes

extension Packet {
  /// Returns the packets of a tag, one for each track.
  public static func packets(in content: TagContent) -> [Packet] {
    switch content {
    case .video(let tag):
      switch tag.content {
      case .legacy(let packet): [legacy(packet, tag.frameType)]
      case .enhanced(let packet): enhanced(packet, tag.frameType)
      }
    case .audio(let tag):
      switch tag.content {
      case .legacy(let packet): [legacy(packet, tag.soundFormat)]
      case .enhanced(let packet): enhanced(packet)
      }
    case .script, .empty, .opaque: []
    }
  }

  private static func legacy(_ packet: LegacyVideo, _ frameType: FrameType) -> Packet {
    let kind: Kind =
      frameType == .command
      ? .command : packet.hasNALUnits ? kind(legacy: packet.packetType) : .frames
    return Packet(
      form: .legacy, kind: kind, codec: Codec(codecID: packet.codecID), frameType: frameType,
      compositionTime: frameType == .command ? 0 : packet.compositionTime, data: packet.data.range)
  }

  private static func enhanced(_ packet: EnhancedVideo, _ frameType: FrameType) -> [Packet] {
    if frameType == .command, packet.packetType != .metadata {
      return [
        Packet(
          form: .enhanced, kind: .command, codec: .fourCC(packet.fourCC), frameType: frameType,
          data: 0..<0)
      ]
    }
    let nanoseconds = packet.modifiers.lazy.compactMap(\.nanoseconds).first ?? 0
    return packet.tracks.map { track in
      Packet(
        form: .enhanced, kind: kind(packet.contentType), codec: .fourCC(packet.codec(of: track)),
        trackID: track.id, frameType: frameType, compositionTime: track.compositionTime,
        nanoseconds: nanoseconds, data: track.data.range)
    }
  }

  private static func legacy(_ packet: LegacyAudio, _ format: SoundFormat) -> Packet {
    let kind: Kind =
      format != .aac || packet.packetType == 1
      ? .frames : packet.packetType == 0 ? .configuration : .other
    return Packet(form: .legacy, kind: kind, codec: Codec(format), data: packet.data.range)
  }

  private static func enhanced(_ packet: EnhancedAudio) -> [Packet] {
    let nanoseconds = packet.modifiers.lazy.compactMap(\.nanoseconds).first ?? 0
    return packet.tracks.map { track in
      Packet(
        form: .enhanced, kind: kind(packet.contentType), codec: .fourCC(packet.codec(of: track)),
        trackID: track.id, nanoseconds: nanoseconds, data: track.data.range)
    }
  }
}

extension TagReader {
  /// Returns the packets of a tag that was just read, one for each track; none if it holds something else.
  public mutating func packets(of tag: Tag, limits: Limits = Limits()) throws(SyntaxError)
    -> [Packet]
  {
    guard tag.header.type.isMedia, !tag.header.filter, !tag.data.isEmpty else { return [] }
    let simple = try withData(of: tag, limit: 8) { head in
      Packet(tag.header.type, head, data: tag.data)
    }
    if let simple { return [simple] }
    return Packet.packets(in: content(of: tag, limits: limits))
  }
}
