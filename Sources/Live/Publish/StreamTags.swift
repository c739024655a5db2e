// SPDX-License-Identifier: MIT

internal import Bytes
internal import FLV
internal import Flow
internal import Media

/// Makes the tags of one connection of the samples of one stream.
struct StreamTags: Sendable {
  private var packetizer: Packetizer
  private var time: Int64 = 0
  private let repeatsConfiguration: Bool

  init(video: VideoTrack?, audio: AudioTrack?, _ options: Packetizer.Options, repeats: Bool)
    throws
  {
    packetizer = try Packetizer(
      video: video.map { [$0] } ?? [], audio: audio.map { [$0] } ?? [], options: options)
    repeatsConfiguration = repeats
  }

  /// The formats that another connection would have to begin with.
  var formats: (video: VideoTrack?, audio: AudioTrack?) {
    (packetizer.currentVideo.first, packetizer.audio.first)
  }

  /// Metadata and configurations, at a time of the stream in milliseconds.
  mutating func opening(at time: Int64) throws -> [OutgoingTag] {
    self.time = max(self.time, time)
    return at(self.time, try packetizer.start())
  }

  /// The tag of a sample, after those of what changed.
  mutating func tags(of sample: CodedSample, isVideo: Bool) throws -> [OutgoingTag] {
    let frame = Frame(
      isVideo ? .video : .audio, decodeTime: sample.decodeTime,
      presentationTime: sample.presentationTime, payload: sample.payload, isKey: sample.isSync)
    let tags = try packetizer.add(frame)
    time = max(time, tags.last?.time ?? 0)
    guard repeatsConfiguration, tags.count == 1, isVideo, tags[0].isKey else { return tags }
    var copy = packetizer
    return at(time, try copy.start().filter { $0.type == .video }) + tags
  }

  /// The end of what was, metadata, and the configuration of what comes.
  mutating func change(to track: VideoTrack) throws -> [OutgoingTag] {
    at(time, try packetizer.change(to: track))
  }

  mutating func change(to track: AudioTrack) throws -> [OutgoingTag] {
    at(time, try packetizer.change(to: track))
  }

  /// What ends the stream for good, or on this connection.
  mutating func ending() throws -> [OutgoingTag] { at(time, try packetizer.finish()) }

  private func at(_ time: Int64, _ tags: [OutgoingTag]) -> [OutgoingTag] {
    tags.map { tag in
      var tag = tag
      tag.time = time
      return tag
    }
  }
}
