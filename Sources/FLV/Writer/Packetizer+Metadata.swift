// SPDX-License-Identifier: MIT

internal import Bytes
internal import HEVC

extension Packetizer {
  /// `onMetaData` for the tracks as they are now.
  func metadata() throws(SyntaxError) -> AMFMessage {
    var object = AMFObject()
    if let track = video.first(where: { $0.id == 0 }) ?? video.first { describe(track, &object) }
    if let track = audio.first(where: { $0.id == 0 }) ?? audio.first { describe(track, &object) }
    for member in options.metadata.members { object[member.name.description] = member.value }
    return AMFMessage(["onMetaData", .ecmaArray(object)])
  }

  private func describe(_ track: VideoTrack, _ object: inout AMFObject) {
    switch track.format {
    case .hevc:
      if let sequence = trackers[track.id]?.headers.baseSequences.first {
        let size = sequence.displaySize ?? sequence.format.codedSize
        object["width"] = .number(Double(size.width))
        object["height"] = .number(Double(size.height))
        if let rate = sequence.frameRate { object["framerate"] = .number(rate.framesPerSecond) }
      }
      object["videocodecid"] = options.dialect.map { .number($0.videoCodecID) }
    case .avc: object["videocodecid"] = .number(Double(LegacyVideo.avc))
    case .other(let code, _): object["videocodecid"] = .number(Double(code.code))
    }
  }

  private func describe(_ track: AudioTrack, _ object: inout AMFObject) {
    switch track.format {
    case .aac(let config):
      object["audiocodecid"] = .number(Double(SoundFormat.aac.rawValue))
      guard let config = try? AudioSpecificConfig(config) else { break }
      object["audiosamplerate"] = config.sampleRate.map { .number(Double($0)) }
      object["audiosamplesize"] = 16.0
      object["stereo"] = .boolean(config.channelConfiguration > 1)
    case .legacy(let format, let rate, let is16Bit, let isStereo):
      object["audiocodecid"] = .number(Double(format.rawValue))
      object["audiosamplerate"] = .number(Double(44100 >> (3 - Int(rate & 3))))
      object["audiosamplesize"] = is16Bit ? 16.0 : 8.0
      object["stereo"] = .boolean(isStereo)
    case .other(let code, _): object["audiocodecid"] = .number(Double(code.code))
    }
  }
}
