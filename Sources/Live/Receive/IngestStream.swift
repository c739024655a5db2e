// SPDX-License-Identifier: MIT

internal import Bytes
internal import FLV
internal import Files
internal import RTMP
internal import Transport

/// A stream that is live: who sends it, what becomes of it, who plays it.
final class IngestStream {
  /// The id of the link that publishes.
  let publisher: Int
  var recording: Recording
  var players = IngestPlayers()
  /// The way into a presentation for HTTP Live Streaming, where there is one.
  var presentation: PresentationFeed?
  /// The way to other servers, where there is one.
  var forward: Forward?
  private(set) var statistics = IngestStatistics()
  /// What others want to know of it; numbers are filled in when they are asked for.
  private var facts = IngestState()
  private var meter = StreamMeter()
  private let began: Int64
  private var first: Int64?
  /// When the first picture of the part that is recorded is shown, by the clock of the stream.
  private var partStart: Int64?
  private var start = StreamStart()
  private var codecs: [TagType: String] = [:]
  private var told: [TagType: String] = [:]

  /// - Parameter facts: what is known of it when it begins.
  init(_ recording: consuming Recording, _ facts: IngestState, began: Int64) {
    self.recording = recording
    self.facts = facts
    self.began = began
    publisher = facts.client
  }

  /// How it is doing.
  ///
  /// - Parameter roundTrip: of its publisher, in microseconds.
  func state(roundTrip: Int64?, at now: Int64) -> IngestState {
    var state = facts
    state.statistics = statistics
    (state.bitRate, state.frameRate) = meter.rates(at: now)
    state.keyFrameDistance = meter.keyFrameDistance
    (state.distance, state.drift, state.jitter) = (meter.distance, meter.drift, meter.jitter)
    state.roundTrip = roundTrip
    state.codecs = words
    state.players = players.count
    (state.path, state.recorded) = (recording.file.path, recording.size)
    state.forwards = forward?.states ?? []
    return state
  }

  /// Returns the players that do not keep up.
  func take(_ tag: ReceivedTag, at now: Int64) throws -> [ServerLink] {
    statistics.tags += 1
    statistics.bytes += tag.data.count
    statistics.time = now - began
    if tag.type.isMedia {
      let start = first ?? tag.time
      first = start
      statistics.duration = max(statistics.duration, tag.time - start)
      note(tag, at: now)
    }
    start.take(tag)
    if partStart == nil { partStart = start.beginning(at: tag) }
    try recording.add(tag)
    let slow = players.take(tag, start)
    facts.lostPlayers += slow.count
    return slow
  }

  /// Whether a part of the recording ends before a tag.
  func endsPart(before tag: ReceivedTag, _ parts: RecordingParts) -> Bool {
    guard let partStart, let end = start.beginning(at: tag) else { return false }
    return parts.isDue(end - partStart, recording.size)
  }

  /// Goes on in another file, which begins with what has to precede everything else.
  ///
  /// - Returns: the recording of the part that has ended.
  func beginPart(_ next: consuming Recording, at time: Int64) throws -> Recording {
    swap(&recording, &next)
    partStart = nil
    for tag in start.setup {
      var tag = tag
      tag.time = time
      try recording.add(tag)
    }
    return next
  }

  /// Hands what was gathered to the system.
  func flush() throws {
    try recording.flush()
  }

  /// What comes, in words, where that is new.
  func newFormat() -> String? {
    guard codecs != told else { return nil }
    told = codecs
    return words
  }

  private var words: String {
    [TagType.video, .audio].compactMap { codecs[$0] }.joined(separator: ", ")
  }

  private func note(_ tag: ReceivedTag, at now: Int64) {
    let head = tag.data.span.extracting(0..<min(8, tag.data.count))
    let packet = Packet(tag.type, head, data: 0..<tag.data.count)
    // Both forms of a video tag begin with the type of the frame.
    let isKey = tag.data.first.flatMap { FrameType(rawValue: $0 >> 4 & 7) } == .key
    meter.add(
      tag.type, bytes: tag.data.count, time: tag.time,
      isFrame: packet.map { $0.kind == .frames } ?? true, isKey: isKey, at: now)
    guard let packet else { return }
    var words = "\(packet.codec)"
    if packet.codec == .hevc { words += packet.form == .enhanced ? " (enhanced)" : " (legacy)" }
    codecs[tag.type] = words
  }
}
