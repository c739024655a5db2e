// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import HEVC

extension Packetizer {
  /// Returns `onMetaData` for the current tracks: the first of each kind in the members that every receiver knows,
  /// further ones in maps by their numbers (Enhanced RTMP v2, "Metadata Frame").
  func metadata() throws(SyntaxError) -> AMFMessage {
    var object = AMFObject()
    if let track = video.first(where: { $0.id == 0 }) ?? video.first { describe(track, &object) }
    if let track = audio.first(where: { $0.id == 0 }) ?? audio.first { describe(track, &object) }
    object["videoTrackIdInfoMap"] = Self.map(of: video, \.id, describe)
    object["audioTrackIdInfoMap"] = Self.map(of: audio, \.id, describe)
    for member in options.metadata.members { object[member.name.description] = member.value }
    return AMFMessage(["onMetaData", .ecmaArray(object)])
  }

  /// Returns `nil` if there is only the first track.
  private static func map<Track>(
    of tracks: [Track], _ id: (Track) -> UInt8, _ describe: (Track, inout AMFObject) -> Void
  ) -> AMFValue? {
    let further = tracks.filter { id($0) > 0 }
    guard !further.isEmpty else { return nil }
    return .object(
      further.map { track in
        var object = AMFObject()
        describe(track, &object)
        return (
          String(id(track)), .object(object.members.map { ($0.name.description, $0.value) })
        )
      })
  }

  private func describe(_ track: VideoTrack, _ object: inout AMFObject) {
    TrackWords(language: track.language, title: track.title).write(
      to: &object, of: .video, id: track.id)
    if track.width > 0, track.height > 0 {
      object["width"] = .number(Double(track.width))
      object["height"] = .number(Double(track.height))
    }
    switch track.format {
    case .hevc:
      if let sequence = trackers[track.id]?.headers.baseSequences.first {
        let size = sequence.displaySize ?? sequence.format.codedSize
        object["width"] = .number(Double(size.width))
        object["height"] = .number(Double(size.height))
        if let rate = sequence.frameRate { object["framerate"] = .number(rate.framesPerSecond) }
      }
      object["videocodecid"] = options.dialect.map { .number($0.videoCodecID) }
    case .avc:
      let code: FourCC = "avc1"
      object["videocodecid"] = .number(Double(track.id == 0 ? UInt32(LegacyVideo.avc) : code.code))
    case .other(let code, _): object["videocodecid"] = .number(Double(code.code))
    }
  }

  private func describe(_ track: AudioTrack, _ object: inout AMFObject) {
    TrackWords(language: track.language, title: track.title).write(
      to: &object, of: .audio, id: track.id)
    switch track.format {
    case .aac(let config):
      let code: FourCC = "mp4a"
      object["audiocodecid"] = .number(
        Double(track.id == 0 ? UInt32(SoundFormat.aac.rawValue) : code.code))
      guard let config = try? AudioSpecificConfig(config) else { break }
      object["audiosamplerate"] = config.sampleRate.map { .number(Double($0)) }
      object["audiosamplesize"] = 16.0
      object["stereo"] = .boolean((config.channels ?? 2) > 1)
    case .legacy(let format, let rate, let is16Bit, let isStereo):
      object["audiocodecid"] = .number(Double(format.rawValue))
      object["audiosamplerate"] = .number(Double(44100 >> (3 - Int(rate & 3))))
      object["audiosamplesize"] = is16Bit ? 16.0 : 8.0
      object["stereo"] = .boolean(isStereo)
    case .other(let code, _): object["audiocodecid"] = .number(Double(code.code))
    }
  }
}
