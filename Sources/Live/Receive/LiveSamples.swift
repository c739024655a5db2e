// SPDX-License-Identifier: MIT

internal import Bytes
internal import Containers
internal import FLV
internal import Flow
internal import RTMP

/// Makes tracks and samples of tags as they come over a connection.
///
/// It waits until all tracks of video and of sound that the metadata announce are configured and a frame comes, or two
/// seconds of the stream or 16 MiB have come; a track that begins later is passed over. Frames without a configuration are kept no longer
/// than that either.
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
  /// Frames of tracks that came too late.
  var passedOver: Int { state.late }
  /// Frames that no configuration came for.
  private(set) var undecodable = 0
  /// Whether frames of sound came with ADTS headers.
  var hasADTS: Bool { state.hasADTS }
  /// Codecs that are not passed on, as text.
  var refused: [String] { state.refused }

  /// What the first pictures leave open, as text.
  var doubts: [String] { state.doubts }
  /// What a person should know of the tracks, as text.
  var warnings: [String] {
    refused.map { "\($0) is left out" } + doubts + (hasADTS ? [FLVTracks.adtsWarning] : [])
  }

  /// The events of a tag; none until the tracks are known, then those of all that waited.
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

  /// No decoder could begin with what came so far, and no more of it is kept.
  private mutating func forget() {
    undecodable += waiting.count { $0.packet.kind == .frames }
    waiting = []
    held = 0
    first = nil
  }

  /// Frames that came before their configuration say nothing, and are no reason to end a stream.
  private mutating func announce(_ item: FLVTracks.Item) throws {
    do {
      try state.announce(item)
    } catch {
      guard item.packet.kind == .frames else { throw error }
    }
  }

  /// Waits no longer: what waited comes out.
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
