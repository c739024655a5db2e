// SPDX-License-Identifier: MIT

internal import ApusBytes

extension Packetizer {
  func tag(of frame: Frame, _ track: AudioTrack, at time: Int64) throws(SyntaxError)
    -> OutgoingTag
  {
    switch track.format {
    case .aac where track.id == 0:
      return try OutgoingTag(
        AudioTag(.aac, LegacyAudio(packetType: 1, data: Extent())), time: time,
        payload: frame.payload)
    case .legacy(let format, let rate, let is16Bit, let isStereo):
      var packet = LegacyAudio()
      packet.soundRate = rate
      packet.is16Bit = is16Bit
      packet.isStereo = isStereo
      return try OutgoingTag(AudioTag(format, packet), time: time, payload: frame.payload)
    case .aac, .other:
      return try enhanced(.codedFrames, track, time: time, payload: frame.payload)
    }
  }

  func configuration(of track: AudioTrack, at time: Int64) throws(SyntaxError) -> [OutgoingTag] {
    var tag: OutgoingTag
    switch track.format {
    case .aac(let config):
      guard !config.isEmpty else {
        throw Self.refusal("AudioSpecificConfig", "is empty; AAC cannot be decoded without it")
      }
      tag =
        track.id == 0
        ? try OutgoingTag(
          AudioTag(.aac, LegacyAudio(packetType: 0, data: Extent())), time: time,
          payload: Extent(config))
        : try enhanced(.sequenceStart, track, time: time, payload: Extent(config))
    case .other(let code, let config):
      if config.isEmpty, code == "ac-3" || code == "ec-3" || code == ".mp3" { return [] }
      tag = try enhanced(.sequenceStart, track, time: time, payload: Extent(config))
    case .legacy: return []
    }
    tag.isSetup = true
    return [tag]
  }

  private func enhanced(
    _ type: AudioPacketType, _ track: AudioTrack, time: Int64, payload: Extent
  ) throws(SyntaxError) -> OutgoingTag {
    let code: FourCC = if case .other(let code, _) = track.format { code } else { "mp4a" }
    var packet = EnhancedAudio(type, code)
    if track.id > 0 {
      packet.innerPacketType = type
      packet.packetType = .multitrack
      packet.tracks[0].id = track.id
    }
    return try OutgoingTag(AudioTag(packet), time: time, payload: payload)
  }
}
