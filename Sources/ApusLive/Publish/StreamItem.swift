// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
internal import ApusSamples
internal import FLV

/// An event of a source on its way to the network, with its bytes in memory and its pictures examined.
struct StreamItem: Sendable {
  var event: SourceEvent
  /// The role of its picture for others; `nil` for sound and for changes of format, which are never dropped for lack of
  /// speed.
  var picture: ReferenceRole?
  var bytes: Int
  /// The decoding time in nanoseconds of the stream, once it has been assigned.
  var time: Int64 = 0
  /// Whether the clock of the input jumped back before it, and was joined.
  var isJoined = false
  /// The tags made from it, shared by all connections of one dialect; `nil` if there is only one connection.
  var shared: SharedTags?
  /// Whether earlier pictures, on which it does not depend, were dropped.
  var followsGap = false

  init(_ event: SourceEvent, picture: ReferenceRole? = nil, bytes: Int = 0) {
    self.event = event
    self.picture = picture
    self.bytes = bytes
  }

  var isSample: Bool { if case .sample = event { true } else { false } }
  /// The track of a sample.
  var track: Int? { if case .sample(let sample) = event { sample.track } else { nil } }
  var isRandomAccess: Bool { picture?.kind == .randomAccess }
}

/// Makes items from events of the tracks that have a place in a stream.
struct ItemReader: Sendable {
  private let tracks: [CodedTrack]
  private var formats: [Int: CodedTrack.Format] = [:]

  init(_ tracks: [CodedTrack]) {
    self.tracks = tracks
    for (index, place) in FLVPlacement(tracks, .enhanced).places.enumerated() where place != nil {
      formats[index] = tracks[index].format
    }
  }

  /// Reads the sample of an event into an item; returns `nil` for other tracks.
  mutating func item(_ event: SourceEvent) throws -> StreamItem? {
    switch event {
    case .format(let track, let format):
      guard formats[track] != nil else { return nil }
      formats[track] = format
      return StreamItem(event)
    case .sample(var sample):
      guard let format = formats[sample.track] else { return nil }
      let bytes = sample.payload.source.resident == nil ? try sample.payload.bytes() : nil
      if let bytes { sample.payload = Extent(bytes) }
      var picture: ReferenceRole?
      if tracks[sample.track].kind == .video {
        picture = Self.picture(of: sample, format)
      }
      return StreamItem(.sample(sample), picture: picture, bytes: sample.payload.count)
    }
  }

  private static func picture(of sample: CodedSample, _ format: CodedTrack.Format) -> ReferenceRole
  {
    let plain = ReferenceRole(sample.isSync ? .randomAccess : .trailing)
    guard let resident = sample.payload.source.resident else { return plain }
    let bytes = resident.span.extracting(sample.payload.range)
    switch format {
    case .hevc:
      return ReferenceRole(hevc: bytes, lengthSize: format.lengthSize) ?? ReferenceRole(.trailing)
    case .avc:
      return ReferenceRole(avc: bytes, lengthSize: format.lengthSize, isSync: sample.isSync)
        ?? ReferenceRole(.trailing)
    case .aac, .other: return plain
    }
  }
}
