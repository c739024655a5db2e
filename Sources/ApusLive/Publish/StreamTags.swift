// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
internal import ApusMedia
internal import ApusSamples
internal import FLV

/// Makes the tags of one connection from the samples of one stream.
struct StreamTags: Sendable {
  private var placement: FLVPlacement
  private var packetizer: Packetizer
  private var time: Int64 = 0
  /// The time of the stream at which this connection begins.
  private var beginning: Int64 = 0
  private let repeatsConfiguration: Bool

  init(_ placement: FLVPlacement, _ options: Packetizer.Options, repeats: Bool) throws {
    self.placement = placement
    packetizer = try Packetizer(
      video: placement.video, audio: placement.audio, options: options)
    repeatsConfiguration = repeats
  }

  /// The current formats of HEVC, by track, including the sets that came in samples.
  var formats: [(track: Int, format: CodedTrack.Format)] {
    let current = packetizer.currentVideo
    return placement.places.enumerated().compactMap { track, place in
      guard case .video(let id) = place,
        case .hevc(let record) = current.first(where: { $0.id == id })?.format
      else { return nil }
      return (track, .hevc(record))
    }
  }

  /// Returns metadata and configurations, with a time of the stream in milliseconds.
  mutating func opening(at time: Int64) throws -> [OutgoingTag] {
    self.time = max(self.time, time)
    beginning = self.time
    return at(self.time, try packetizer.start())
  }

  /// Returns the tag of a sample, after tags for changes; none if its track is left out.
  ///
  /// - Parameter shared: the tags that other connections have made from the sample; a tag made here is added.
  mutating func tags(of sample: CodedSample, sharing shared: SharedTags? = nil) throws
    -> [OutgoingTag]
  {
    guard let shared, let form = SharedTags.Form(of: sample, placement, packetizer.options) else {
      return try ownTags(of: sample)
    }
    if let made = shared[form], let frame = placement.times(of: sample) {
      let tag = try packetizer.add(frame, madeInto: made)
      time = max(time, tag.time)
      return [tag]
    }
    let tags = try ownTags(of: sample)
    // A key frame may change the configuration, which each connection has to find out by itself.
    if tags.count == 1, !tags[0].isKey { shared[form] = tags[0] }
    return tags
  }

  private mutating func ownTags(of sample: CodedSample) throws -> [OutgoingTag] {
    guard let frame = try placement.frame(of: sample) else { return [] }
    let tags = try packetizer.add(frame)
    time = max(time, tags.last?.time ?? 0)
    guard repeatsConfiguration, tags.count == 1, frame.media == .video, tags[0].isKey else {
      return tags
    }
    var copy = packetizer
    return at(time, try copy.start().filter { $0.type == .video }) + tags
  }

  /// Returns the end of the track's sequence, metadata, and the new configuration, with the time of the track's last
  /// sample: other tracks may be ahead of it.
  mutating func change(_ track: Int, to format: CodedTrack.Format) throws -> [OutgoingTag] {
    try placement.change(track, to: format, in: &packetizer).map { tag in
      var tag = tag
      tag.time = max(tag.time, beginning)
      return tag
    }
  }

  /// Returns the tags that end the stream, for good or on this connection.
  mutating func ending() throws -> [OutgoingTag] { at(time, try packetizer.finish()) }

  private func at(_ time: Int64, _ tags: [OutgoingTag]) -> [OutgoingTag] {
    tags.map { tag in
      var tag = tag
      tag.time = time
      return tag
    }
  }
}
