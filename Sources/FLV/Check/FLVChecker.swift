// SPDX-License-Identifier: MIT

public import ApusBytes
public import HEVC

/// Walks a file once and checks it against the rules.
///
/// A rule that is broken many times is reported once, with the number of times and the first place.
public struct FLVChecker: Sendable {
  /// The contents of the file, as far as they were read.
  public internal(set) var facts = FLVFacts()
  /// Each HEVC configuration that differs from the previous one, with its offset.
  public internal(set) var records: [(record: DecoderConfigurationRecord, offset: Int)] = []

  var tallies: [FLVRule: Tally] = [:]
  var configs: [UInt8: Config] = [:]
  var audioConfigs: Set<UInt8> = []
  var judge = KeyFrameJudge()
  /// Offsets in the key frame index at which no video tag was found yet.
  var indexed: Set<Int> = []
  var colouredTracks: Set<UInt8> = []
  var typical: Int64 = 0
  var repair = TimeRepair()
  let limits: Limits

  struct Tally {
    var count: Int
    var offset: Int
    var message: String
    var severity: Finding.Severity?
  }

  /// The current configuration of an HEVC track.
  struct Config {
    var bytes: [UInt8]
    var sets: [(key: ParameterSetTracker.Key?, bytes: [UInt8])]
    /// The differing sets found in frames, each of which is reported once.
    var reported: Set<[UInt8]> = []
  }

  /// Walks a file and applies all rules; throws if it is not FLV or cannot be read.
  public init(_ source: any ByteSource, limits: Limits = Limits()) throws(SyntaxError) {
    self.limits = limits
    var reader = try TagReader(source, limits: limits)
    while let element = try reader.next() {
      switch element {
      case .tag(let tag): try look(at: tag, in: &reader)
      case .junk(let range):
        add(.junk, at: range.lowerBound, "\(range.count) bytes belong to no tag")
      case .truncated(let header, let range):
        add(
          .truncated, at: range.lowerBound,
          "the last tag announces \(header.dataSize) bytes of data, \(max(0, range.count - 15)) are there"
        )
      case .end(let size, let expected):
        if let expected, size != expected { addSize(size, expected, source.count - 4) }
      }
    }
    conclude(reader.header)
  }

  /// The findings, in the order of the rules.
  public var findings: [Finding] {
    FLVRule.all.compactMap { rule in
      guard let tally = tallies[rule] else { return nil }
      let more = tally.count > 1 ? ", and \(tally.count - 1) more like it" : ""
      return Finding(
        tally.severity ?? rule.severity, rule: rule.id, path: "", offset: tally.offset,
        message: tally.message + more)
    }
  }

  mutating func add(
    _ rule: FLVRule, at offset: Int, as severity: Finding.Severity? = nil,
    _ message: @autoclosure () -> String
  ) {
    assert(severity.map { rule.milder.contains($0) } ?? true, rule.id)
    let isWorse = severity == nil && tallies[rule]?.severity != nil
    let count = (tallies[rule]?.count ?? 0) + 1
    if count == 1 || isWorse {
      tallies[rule] = Tally(count: count, offset: offset, message: message(), severity: severity)
    } else {
      tallies[rule]?.count = count
    }
  }

  private mutating func addSize(_ size: UInt32, _ expected: UInt32, _ offset: Int) {
    add(
      .tagSize, at: offset, "PreviousTagSize is \(size), the tag before it has \(expected) bytes")
  }

  private mutating func look(at tag: Tag, in reader: inout TagReader) throws(SyntaxError) {
    facts.tags += 1
    if let expected = tag.expectedPreviousTagSize, expected != tag.previousTagSize {
      addSize(tag.previousTagSize, expected, tag.offset - 4)
    }
    let packets = try reader.packets(of: tag, limits: limits)
    if let fault = tag.header.fault(packets) { add(fault, of: tag, in: reader) }
    guard !tag.header.filter else { return }
    switch tag.header.type {
    case .script: script(tag, in: reader)
    case .audio, .video: try media(tag, packets, in: &reader)
    case .scriptAMF3: facts.scripts += 1
    default: break
    }
  }

  /// Reports the reason why a tag cannot be understood.
  private mutating func add(_ fault: TagFault, of tag: Tag, in reader: TagReader) {
    switch fault {
    case .encrypted: add(.encrypted, at: tag.offset, "the tag is encrypted")
    case .unknownType:
      add(
        .unreadable, at: tag.offset, as: .warning,
        "TagType is \(tag.header.type.rawValue), which is unknown")
    case .unknownPacket:
      add(.unreadable, at: tag.offset, "the packet type of \(tag.header.type) data is unknown")
    default:
      let failure = reader.content(of: tag, limits: limits).failure
      add(
        .unreadable, at: failure?.offset ?? tag.offset,
        "\(tag.header.type) data cannot be read: \(failure?.message ?? "its form is unknown")")
    }
  }

  private mutating func script(_ tag: Tag, in reader: TagReader) {
    facts.scripts += 1
    let content = reader.content(of: tag, limits: limits)
    if let failure = content.failure {
      add(
        .unreadable, at: failure.offset ?? tag.offset, as: .warning,
        "a script cannot be read: \(failure.message)")
    }
    guard case .script(let message) = content, let object = message.metadata else { return }
    guard facts.metadata == nil else { return }
    facts.metadata = object
    let places = object["keyframes"]?["filepositions"]?.values ?? []
    indexed = Set(places.map { $0.integer ?? -1 })
  }

  private mutating func media(_ tag: Tag, _ packets: [Packet], in reader: inout TagReader)
    throws(SyntaxError)
  {
    let isVideo = tag.header.type == .video
    if isVideo, !indexed.isEmpty { indexed.remove(tag.offset) }
    if packets.count > 1 {
      add(.manyTracks, at: tag.offset, "a packet holds \(packets.count) tracks")
    }
    for packet in packets {
      let index = facts.index(of: packet, isVideo: isVideo)
      switch packet.kind {
      case .configuration: try configuration(packet, index, of: tag, in: reader)
      case .frames: try frame(packet, index, of: tag, in: &reader)
      case .metadata:
        colouredTracks.insert(packet.trackID)
        if packet.frameType != .command {
          add(
            .colourFrameType, at: tag.offset,
            "colorInfo is in a tag of frame type \(packet.frameType)")
        }
      default: break
      }
    }
  }
}
