// SPDX-License-Identifier: MIT

public import Bytes

/// What is wrong with the tags of a stream that is read once, counted, with the place of the first of each kind.
public struct StreamFaults: Sendable {
  private struct Track: Hashable, Sendable {
    var type: TagType
    var id: UInt8
  }

  private struct Tally: Sendable {
    var count = 0
    var offset: Int
  }

  private var tallies: [TagFault: Tally] = [:]
  private var codecs: [Track: Codec] = [:]
  private var times = TimeRepair()
  private var last: Int64?

  /// A leap of more than this many milliseconds is no pause, and a picture is shown no later than this.
  private static let longestLeap: Int64 = 3_600_000
  private static let longestShift: UInt32 = 60_000

  public init() {}

  /// Looks at a tag that was just read, and returns what is in it.
  @discardableResult
  public mutating func look(at tag: Tag, in reader: inout TagReader, _ limits: Limits)
    throws(SyntaxError) -> [Packet]
  {
    compare(
      size: tag.previousTagSize, expected: tag.expectedPreviousTagSize, before: tag.offset)
    let packets = try reader.packets(of: tag, limits: limits)
    look(at: tag.header, time: tag.time, offset: tag.offset, packets)
    return packets
  }

  /// Looks at the next tag of the stream.
  ///
  /// - Parameters:
  ///   - time: of the tag, by a `TagClock`.
  ///   - packets: what was found in it.
  public mutating func look(
    at header: TagHeader, time: Int64, offset: Int, _ packets: [Packet]
  ) {
    if let fault = header.fault(packets) { add(fault, at: offset) }
    guard header.type.isMedia, !header.filter else { return }
    // Configurations and the ends of sequences often come with the time 0.
    if packets.contains(where: { $0.kind == .frames }) { look(at: time, of: header.type, offset) }
    for packet in packets { look(at: packet, header.type, offset) }
  }

  /// Compares the `PreviousTagSize` before a tag, or before the end, with what it should be, where that is known.
  public mutating func compare(size: UInt32, expected: UInt32?, before offset: Int) {
    if let expected, expected != size { add(.size, at: offset - 4) }
  }

  public mutating func add(_ fault: TagFault, at offset: Int) {
    tallies[fault, default: Tally(offset: offset)].count += 1
  }

  private mutating func look(at time: Int64, of type: TagType, _ offset: Int) {
    if let last, time - last > Self.longestLeap { add(.leap, at: offset) }
    last = time
    let (restarts, held) = (times.restarts, times.held)
    _ = times.time(of: type, time)
    if times.restarts > restarts { add(.restart, at: offset) }
    if times.held > held { add(.fall, at: offset) }
  }

  private mutating func look(at packet: Packet, _ type: TagType, _ offset: Int) {
    let track = Track(type: type, id: packet.trackID)
    switch packet.kind {
    case .configuration: codecs[track] = packet.codec
    case .frames:
      if let codec = codecs[track], codec != packet.codec {
        add(.otherCodec, at: offset)
      } else {
        codecs[track] = packet.codec
        if packet.compositionTime.magnitude > Self.longestShift { add(.shown, at: offset) }
      }
    default: break
    }
  }

  /// What was found, in words.
  ///
  /// - Parameter copies: whether tags that are not understood are copied as they are, and not left out.
  public func words(copies: Bool = false) -> [String] {
    TagFault.allCases.compactMap { fault in
      tallies[fault].map { fault.words($0.count, first: $0.offset, copies: copies) }
    }
  }
}
