// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
internal import ApusSamples
internal import FLV
internal import RTMP

/// Makes tracks and samples from the tags of a connection.
///
/// It waits until all video and sound tracks that the metadata announce are configured and a frame comes, or until two
/// seconds of the stream or 16 MiB have come; a track that begins later is left out. Frames without a configuration are
/// kept no longer than that either.
struct LiveSamples: Sendable {
  private var state = FLVTracks()
  private var waiting: [FLVTracks.Item] = []
  private var held = 0
  private var first: Int64?
  /// Whether the tracks are known.
  private(set) var isReady = false
  private let limits: Limits

  private static let patience: Int64 = 2000
  private static let capacity = 16 << 20

  init(limits: Limits = Limits()) { self.limits = limits }

  var tracks: [CodedTrack] { state.tracks }
  /// The number of frames of tracks that came too late.
  var passedOver: Int { state.late }
  /// The number of frames for which no configuration came.
  private(set) var undecodable = 0
  /// Whether frames of sound came with ADTS headers.
  var hasADTS: Bool { state.hasADTS }
  /// Codecs that are not passed on, as text.
  var refused: [String] { state.refused }

  /// Questions that the first pictures leave open, as text.
  var doubts: [String] { state.doubts }
  /// Warnings about the tracks for the user, as text.
  var warnings: [String] {
    refused.map { "\($0) is left out" } + doubts + (hasADTS ? [FLVTracks.adtsWarning] : [])
  }

  /// Returns the events of a tag; none until the tracks are known, then those of all tags that waited.
  mutating func add(_ tag: ReceivedTag) throws -> [SourceEvent] {
    if tag.type == .script {
      state.announce(.script(AMFMessage(tag.data, at: 0, limits: limits)))
      return []
    }
    let header = try TagHeader(tag.type, dataSize: tag.data.count, timestamp: tag.timestamp)
    let items = FLVTracks.Item.items(of: header, tag.data, at: tag.time, offset: 0, limits)
    if isReady { return try events(of: items) }
    for item in items {
      try announce(item)
      held += item.data.count
      if first == nil, item.packet.kind == .frames { first = item.time }
    }
    waiting += items
    // Frames may come before their configuration.
    if !state.hasSeenPictures { for item in waiting { try announce(item) } }
    let span = tag.time - (first ?? tag.time)
    let expected = state.announced.isEmpty ? [.video, .audio] : Array(state.announced.keys)
    // Encoders that announce one track of a kind send the configurations of further ones before any frame.
    let isComplete =
      first != nil && expected.allSatisfy { state.isComplete($0) } && state.hasSeenPictures
    guard isComplete || span > Self.patience || held > Self.capacity else { return [] }
    if state.tracks.isEmpty { forget() }
    return try begin()
  }

  /// Discards the tags so far: no decoder could begin with them, and no more are kept.
  private mutating func forget() {
    undecodable += waiting.count { $0.packet.kind == .frames }
    waiting = []
    held = 0
    first = nil
  }

  /// Announces a packet. Frames that came before their configuration announce nothing, and are no reason to end a
  /// stream.
  private mutating func announce(_ item: FLVTracks.Item) throws {
    do {
      try state.announce(item)
    } catch {
      guard item.packet.kind == .frames else { throw error }
    }
  }

  /// Stops waiting and returns the events of all tags that waited.
  mutating func begin() throws -> [SourceEvent] {
    guard !isReady, !state.tracks.isEmpty else { return [] }
    isReady = true
    let items = waiting
    waiting = []
    return try events(of: items)
  }

  private mutating func events(of items: [FLVTracks.Item]) throws -> [SourceEvent] {
    var events: [SourceEvent] = []
    for item in items {
      if let event = try state.event(of: item) { events.append(event) }
    }
    return events
  }
}
