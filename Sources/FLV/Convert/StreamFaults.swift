// SPDX-License-Identifier: MIT

public import ApusBytes

/// The faults of the tags in a stream that is read once, counted, with the place of the first of each kind.
public struct StreamFaults: Sendable {
  /// The codec of a track's last configuration, or of its first frame.
  private struct Track: Sendable {
    var type: TagType
    var id: UInt8
    var codec: Codec
  }

  private struct Tally: Sendable {
    var count = 0
    var offset: Int
    /// The time of the first tag with the fault in milliseconds, after times were repaired.
    var time: Int64
    /// The times between which it decreases.
    var fall: (from: Int64, to: Int64)?
    var isTold = false
  }

  private var tallies: [TagFault: Tally] = [:]
  private var hasNews = false
  private var tracks: [Track] = []
  private var judge = KeyFrameJudge()
  private var times = TimeRepair()
  private var last: Int64?
  /// The time of the last tag, after times were repaired.
  private var now: Int64 = 0

  /// The largest increase of time that counts as a pause, in milliseconds, and the largest distance between decoding
  /// and presentation.
  private static let longestLeap: Int64 = 3_600_000
  private static let longestShift: UInt32 = 60_000
  /// Enough for the lengths of the first units, and for the checks of a configuration.
  private static let glance = 256

  /// Creates an empty list.
  public init() {}

  /// The offset that was added to the time of the last tag so that times continue where they fall.
  public var offset: Int64 { times.offset }

  /// Checks a tag that was just read, and returns its packets.
  @discardableResult
  public mutating func look(at tag: Tag, in reader: inout TagReader, _ limits: Limits)
    throws(SyntaxError) -> [Packet]
  {
    compare(
      size: tag.previousTagSize, expected: tag.expectedPreviousTagSize, before: tag.offset)
    let packets = try reader.packets(of: tag, limits: limits)
    look(at: tag.header, time: tag.time, offset: tag.offset, packets)
    guard tag.header.type == .video, !packets.isEmpty else { return packets }
    let source = reader.source
    try reader.withData(of: tag, limit: Self.glance) { head throws(SyntaxError) in
      let data = TagData(head, of: tag.data, source)
      for packet in packets { try look(at: packet, data, tag.offset) }
    }
    return packets
  }

  /// Checks the next tag of the stream, which is in memory.
  ///
  /// - Parameters:
  ///   - time: the time of the tag, by a `TagClock`.
  ///   - packets: the packets found in it.
  public mutating func look(
    at header: TagHeader, time: Int64, offset: Int, _ packets: [Packet], in data: Span<UInt8>
  ) throws(SyntaxError) {
    look(at: header, time: time, offset: offset, packets)
    guard header.type == .video else { return }
    for packet in packets { try look(at: packet, TagData(data, of: 0..<data.count, nil), offset) }
  }

  private mutating func look(
    at header: TagHeader, time: Int64, offset: Int, _ packets: [Packet]
  ) {
    if header.type.isMedia, !header.filter { look(at: time, of: header, packets, offset) }
    if let fault = header.fault(packets) { add(fault, at: offset) }
    guard header.type.isMedia, !header.filter else { return }
    for packet in packets { look(at: packet, header.type, offset) }
  }

  /// Compares the `PreviousTagSize` before a tag, or before the end, with the expected value, if that is known.
  public mutating func compare(size: UInt32, expected: UInt32?, before offset: Int) {
    if let expected, expected != size { add(.size, at: offset - 4) }
  }

  /// Adds a fault found elsewhere.
  ///
  /// - Parameter offset: the place in the stream, in bytes.
  public mutating func add(_ fault: TagFault, at offset: Int) { add(fault, at: offset, fall: nil) }

  private mutating func add(_ fault: TagFault, at offset: Int, fall: (from: Int64, to: Int64)?) {
    if tallies[fault] == nil { hasNews = true }
    tallies[fault, default: Tally(offset: offset, time: now, fall: fall)].count += 1
  }

  private mutating func look(
    at time: Int64, of header: TagHeader, _ packets: [Packet], _ offset: Int
  ) {
    let restarts = times.restarts
    now = times.time(of: header, packets, time)
    guard packets.contains(where: { $0.kind == .frames }) else { return }
    if let last, time - last > Self.longestLeap { add(.leap, at: offset) }
    last = time
    let fall = times.fallsFrom.map { (from: $0, to: time) }
    if times.restarts > restarts { add(.restart, at: offset, fall: fall) }
    if times.isHeld { add(.fall, at: offset, fall: fall) }
  }

  private mutating func look(at packet: Packet, _ type: TagType, _ offset: Int) {
    guard packet.kind == .configuration || packet.kind == .frames else { return }
    let known = tracks.firstIndex { $0.type == type && $0.id == packet.trackID }
    let index = known ?? tracks.count
    if known == nil { tracks.append(Track(type: type, id: packet.trackID, codec: packet.codec)) }
    if packet.kind == .configuration {
      tracks[index].codec = packet.codec
    } else if tracks[index].codec != packet.codec {
      add(.otherCodec, at: offset)
    } else if packet.compositionTime.magnitude > Self.longestShift {
      add(.shown, at: offset)
    }
  }

  /// Checks the NAL units of a frame.
  private mutating func look(at packet: Packet, _ data: borrowing TagData, _ offset: Int)
    throws(SyntaxError)
  {
    switch packet.kind {
    case .configuration: judge.configure(packet, data.head(of: packet.data))
    case .frames where packet.codec == .hevc || packet.codec == .avc:
      let size = judge.lengthSize(of: packet.trackID)
      if try !data.isFilled(by: packet.data, lengthSize: size) { add(.lengths, at: offset) }
    default: break
    }
  }

  /// Returns the faults found, as text.
  ///
  /// - Parameters:
  ///   - copies: whether tags that are not understood are copied unchanged, rather than left out.
  ///   - repairsTimes: whether times are changed where they fall.
  public func words(copies: Bool = false, repairsTimes: Bool = true) -> [String] {
    TagFault.allCases.compactMap { fault in
      tallies[fault].map { tally in
        fault.words(
          tally.count, first: "at byte \(tally.offset)", fall: tally.fall, copies: copies,
          repairsTimes: repairsTimes)
      }
    }
  }

  /// Returns the faults found for the first time since the last call, as text, with times as places.
  public mutating func news(copies: Bool = false) -> [String] {
    guard hasNews else { return [] }
    hasNews = false
    return TagFault.allCases.compactMap { fault in
      guard let tally = tallies[fault], !tally.isTold else { return nil }
      tallies[fault]?.isTold = true
      return words(fault, tally, count: 1, copies)
    }
  }

  /// Returns the faults found more often than `news` could report, as text.
  public func repeated(copies: Bool = false) -> [String] {
    TagFault.allCases.compactMap { fault in
      guard let tally = tallies[fault], tally.count > 1 else { return nil }
      return words(fault, tally, count: tally.count, copies)
    }
  }

  private func words(_ fault: TagFault, _ tally: Tally, count: Int, _ copies: Bool) -> String {
    fault.words(
      count, first: "at \(tally.time) ms", fall: tally.fall, copies: copies, repairsTimes: true)
  }
}
