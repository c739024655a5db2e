// SPDX-License-Identifier: MIT

internal import Bytes
internal import FLV
internal import Files
internal import Flow
internal import RTMP
internal import Transport

/// A stream that is live: who sends it, what becomes of it, who plays it.
final class IngestStream {
  /// The id of the link that publishes.
  let publisher: Int
  /// What it is recorded as.
  private let target: RemuxTarget
  /// The file that it is recorded in; `nil` while that is not possible.
  var recording: Recording?
  /// When it could not be recorded any further, by the clock of the machine.
  private var stopped: Int64 = 0
  var players = IngestPlayers()
  /// The way into a presentation for HTTP Live Streaming, where there is one.
  var presentation: PresentationFeed?
  /// When the presentation could not be written, by the clock of the machine, until something is in it again.
  var unpresented: Int64?
  /// The way to other servers, where there is one.
  var forward: Forward?
  private(set) var statistics = IngestStatistics()
  /// What others want to know of it; numbers are filled in when they are asked for.
  private var facts = IngestState()
  private var meter = StreamMeter()
  private var faults = StreamFaults()
  private let began: Int64
  private var first: Int64?
  /// When the first picture of the part that is recorded is shown, by the clock of the stream.
  private var partStart: Int64?
  private var start = StreamStart()
  /// How each medium is coded.
  private var codings: [TagType: Coding] = [:]
  private var hasNewCoding = false

  /// How a medium is coded.
  private struct Coding: Equatable {
    var codec: Codec
    var form: Packet.Form

    var words: String {
      codec == .hevc ? "\(codec) (\(form == .enhanced ? "enhanced" : "legacy"))" : "\(codec)"
    }
  }

  /// - Parameter facts: what is known of it when it begins.
  init(_ recording: consuming Recording, _ facts: IngestState, began: Int64) {
    target = recording.target
    self.recording = consume recording
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
    state.path = recording?.file.path ?? ""
    state.recorded = recording?.size ?? 0
    state.forwards = forward?.states ?? []
    return state
  }

  /// Passes a tag on to players as it came.
  ///
  /// - Parameter time: to which the stream has come.
  /// - Returns: the players that do not keep up.
  func forward(_ tag: ReceivedTag, _ time: Int64, at now: Int64) -> [ServerLink] {
    statistics.tags += 1
    statistics.bytes += tag.data.count
    statistics.time = now - began
    if tag.type.isMedia {
      let start = first ?? time
      first = start
      statistics.duration = max(statistics.duration, time - start)
      note(tag, time, at: now)
    }
    start.add(tag)
    let slow = players.forward(tag, start)
    facts.lostPlayers += slow.count
    return slow
  }

  /// Looks at a tag that came.
  ///
  /// - Returns: the tag with a time that continues where those of the publisher go back, as everything but players gets it.
  func look(at tag: ReceivedTag) throws -> ReceivedTag {
    guard tag.type.isMedia else { return tag }
    try faults.look(at: tag)
    var tag = tag
    tag.time += faults.offset
    return tag
  }

  /// What was found wrong with its tags for the first time since this was asked last, as text.
  func newFaults() -> [String] { faults.news(copies: copies) }
  /// What was found more than once.
  var repeatedFaults: [String] { faults.repeated(copies: copies) }
  /// Whether tags that are not understood are recorded as they are.
  private var copies: Bool { target == .flv }

  /// Records a tag, where that is possible.
  func record(_ tag: ReceivedTag) throws {
    if partStart == nil { partStart = start.beginning(at: tag) }
    try recording?.add(tag)
  }

  /// Whether another file begins with a tag: a part ends before it, or enough time has passed since the stream could not
  /// be recorded.
  func beginsFile(with tag: ReceivedTag, _ parts: RecordingParts, at now: Int64) -> Bool {
    guard let size = recording?.size else {
      return now - stopped >= Self.patience && start.beginning(at: tag) != nil
    }
    guard parts.areWanted, let partStart, let end = start.beginning(at: tag) else { return false }
    return parts.isDue(end - partStart, size)
  }

  /// Nanoseconds until something is tried again that failed.
  static let patience: Int64 = 10_000_000_000

  /// It cannot be recorded any further.
  ///
  /// - Returns: what was recorded.
  func stopRecording(at now: Int64) -> Recording? {
    stopped = now
    return recording.take()
  }

  /// What has to precede everything else where the stream is taken up in its middle, with the time of what follows.
  func setup(at time: Int64) -> [ReceivedTag] {
    start.setup.map { tag in
      var tag = tag
      tag.time = time
      return tag
    }
  }

  /// Whether decoders can begin with a tag.
  func canBegin(with tag: ReceivedTag) -> Bool { start.beginning(at: tag) != nil }

  /// Goes on in another file, which begins with what has to precede everything else.
  ///
  /// - Returns: the recording of the part that has ended; `nil` where there was none.
  func beginPart(_ next: consuming Recording, at time: Int64) throws -> Recording? {
    for tag in setup(at: time) { try next.add(tag) }
    let ended = recording.take()
    recording = consume next
    partStart = nil
    return ended
  }

  /// Hands what was gathered to the system.
  func flush() throws {
    try recording?.flush()
  }

  /// What comes, as text, where that is new.
  func newFormat() -> String? {
    guard hasNewCoding else { return nil }
    hasNewCoding = false
    return words
  }

  private var words: String {
    [TagType.video, .audio].compactMap { codings[$0]?.words }.joined(separator: ", ")
  }

  private func note(_ tag: ReceivedTag, _ time: Int64, at now: Int64) {
    let head = tag.data.span.extracting(0..<min(8, tag.data.count))
    let packet = Packet(tag.type, head, data: 0..<tag.data.count)
    // Both forms of a video tag begin with the type of the frame.
    let isKey = tag.data.first.flatMap { FrameType(rawValue: $0 >> 4 & 7) } == .key
    meter.add(
      tag.type, bytes: tag.data.count, time: time,
      isFrame: packet.map { $0.kind == .frames } ?? true, isKey: isKey, at: now)
    guard let packet else { return }
    let coding = Coding(codec: packet.codec, form: packet.form)
    guard codings[tag.type] != coding else { return }
    codings[tag.type] = coding
    hasNewCoding = true
  }
}
