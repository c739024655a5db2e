// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFiles
internal import ApusSamples
internal import ApusTransport
internal import FLV
internal import RTMP

/// A live stream: its publisher, its recording, and its receivers.
final class IngestStream {
  /// The id of the link of the publisher.
  let publisher: Int
  /// The container of the recording.
  private let target: RemuxTarget
  /// The file in which it is recorded; `nil` while that is not possible.
  var recording: Recording?
  /// The time at which recording failed, by the clock of the machine.
  private var stopped: Int64 = 0
  var players = IngestPlayers()
  /// The feed into a presentation for HTTP Live Streaming, if there is one.
  var presentation: PresentationFeed?
  /// The time at which writing the presentation failed, by the clock of the machine; `nil` when it has new content
  /// again.
  var unpresented: Int64?
  /// The forwarding to other servers, if there is any.
  var forward: Forward?
  private(set) var statistics = IngestStatistics()
  /// The state that others ask for; numbers are filled in at that time.
  private var facts = IngestState()
  private var meter = StreamMeter()
  private var faults = StreamFaults()
  private let began: Int64
  private var first: Int64?
  /// The presentation time of the first picture in the part being recorded, by the clock of the stream.
  private var partStart: Int64?
  private var start = StreamStart()
  /// The coding of each medium.
  private var codings: [TagType: Coding] = [:]
  private var hasNewCoding = false

  /// The coding of a medium.
  private struct Coding: Equatable {
    var codec: Codec
    var form: Packet.Form

    var words: String {
      codec == .hevc ? "\(codec) (\(form == .enhanced ? "enhanced" : "legacy"))" : "\(codec)"
    }
  }

  /// - Parameter facts: the facts known when it begins.
  init(_ recording: consuming Recording, _ facts: IngestState, began: Int64) {
    target = recording.target
    self.recording = consume recording
    self.facts = facts
    self.began = began
    publisher = facts.client
  }

  /// Returns its current state.
  ///
  /// - Parameter roundTrip: the round-trip time to its publisher.
  func state(roundTrip: Duration?, at now: Int64) -> IngestState {
    var state = facts
    state.statistics = statistics
    (state.bitRate, state.frameRate) = meter.rates(at: now)
    state.keyFrameDistance = meter.keyFrameDistance.map { .milliseconds($0) }
    (state.distance, state.drift, state.jitter) = (meter.distance, meter.drift, meter.jitter)
    state.roundTrip = roundTrip
    state.codecs = words
    state.players = players.count
    state.path = recording?.file.path ?? ""
    state.recorded = recording?.visibleSize ?? 0
    state.forwards = forward?.states ?? []
    return state
  }

  /// Relays a tag to players unchanged.
  ///
  /// - Parameter time: the current time of the stream.
  /// - Returns: the players that are too slow.
  func forward(_ tag: ReceivedTag, _ time: Int64, at now: Int64) -> [ServerLink] {
    statistics.tags += 1
    statistics.bytes += tag.data.count
    statistics.time = .nanoseconds(now - began)
    if tag.type.isMedia {
      let start = first ?? time
      first = start
      statistics.duration = max(statistics.duration, .milliseconds(time - start))
      note(tag, time, at: now)
    }
    start.add(tag)
    let slow = players.forward(tag, start)
    facts.lostPlayers += slow.count
    return slow
  }

  /// Examines a tag.
  ///
  /// - Returns: the tag for everything except players, with a time that continues if those of the publisher jump back.
  func look(at tag: ReceivedTag) throws -> ReceivedTag {
    guard tag.type.isMedia else { return tag }
    try faults.look(at: tag)
    var tag = tag
    tag.time += faults.offset
    return tag
  }

  /// Returns the faults found for the first time since the last call, as text.
  func newFaults() -> [String] { faults.news(copies: copies) }
  /// The faults found more than once, as text.
  var repeatedFaults: [String] { faults.repeated(copies: copies) }
  /// Whether unknown tags are recorded unchanged.
  private var copies: Bool { target == .flv }

  /// Records a tag, if that is possible.
  func record(_ tag: ReceivedTag) throws {
    if partStart == nil { partStart = start.beginning(at: tag) }
    try recording?.add(tag)
  }

  /// Returns whether another file begins with a tag: a part ends before it, or enough time has passed since recording
  /// failed.
  func beginsFile(with tag: ReceivedTag, _ parts: RecordingParts, at now: Int64) -> Bool {
    guard let size = recording?.size else {
      return now - stopped >= Self.patience && start.beginning(at: tag) != nil
    }
    guard parts.areWanted, let partStart, let end = start.beginning(at: tag) else { return false }
    return parts.isDue(end - partStart, size)
  }

  /// Nanoseconds until something that failed is tried again.
  static let patience: Int64 = 10_000_000_000

  /// Stops recording after a failure.
  ///
  /// - Returns: the recording so far.
  func stopRecording(at now: Int64) -> Recording? {
    stopped = now
    return recording.take()
  }

  /// Returns the tags that must precede everything else when joining the stream in its middle, with the time of what
  /// follows.
  func setup(at time: Int64) -> [ReceivedTag] {
    start.setup.map { tag in
      var tag = tag
      tag.time = time
      return tag
    }
  }

  /// Returns whether decoders can begin with a tag.
  func canBegin(with tag: ReceivedTag) -> Bool { start.beginning(at: tag) != nil }

  /// Continues in another file, which begins with the tags that must precede everything else.
  ///
  /// - Returns: the recording of the part that has ended; `nil` if there was none.
  func beginPart(_ next: consuming Recording, at time: Int64) throws -> Recording? {
    for tag in setup(at: time) { try next.add(tag) }
    let ended = recording.take()
    recording = consume next
    partStart = nil
    return ended
  }

  /// Writes buffered data to the files.
  func flush() throws {
    try recording?.flush()
  }

  /// Returns the current format as text, if it is new.
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
