// SPDX-License-Identifier: MIT

internal import ApusBytes

/// Determines for each tag how it is written; run twice, first to measure and then to write.
struct TagChanger: Sendable {
  let options: FLVConverter.Options
  private(set) var report = ConversionReport()
  /// The first `onMetaData`, which the converter replaces.
  private(set) var metadata: AMFMessage?
  private(set) var hasHEVC = false
  private var hasKeys = false
  private var judge = KeyFrameJudge()
  private var times = TimeRepair()

  /// The changes to a tag: a head that replaces a number of its first bytes.
  struct Change {
    var time: Int64
    var head: [UInt8] = []
    var replaced = 0
    var isKey = false
    /// Whether it is shown or heard, as opposed to a configuration or an end.
    var isFrame = true
    /// The presentation time of the picture in milliseconds.
    var presentation: Int64
  }

  init(_ options: FLVConverter.Options) { self.options = options }

  /// Returns `nil` for a tag that is left out.
  ///
  /// - Parameter packets: the packets found in the tag.
  mutating func change(_ tag: Tag, _ packets: [Packet], in reader: inout TagReader)
    throws(SyntaxError) -> Change?
  {
    report.tags += 1
    if let expected = tag.expectedPreviousTagSize, expected != tag.previousTagSize {
      report.sizes += 1
    }
    let time = options.repairsTimes ? repaired(tag, packets) : tag.time
    var change = Change(time: time, presentation: time)
    guard !tag.header.filter else { return change }
    switch tag.header.type {
    case .video: break
    case .script: return try script(tag, &change, in: reader) ? change : nil
    case .audio:
      // A tag that cannot be read is passed on, as if it were sound.
      change.isFrame = packets.first.map { $0.kind == .frames } ?? true
      return change
    default: return change
    }
    guard let packet = packets.first else { return change }
    change.isFrame = packet.kind == .frames
    if packet.codec == .hevc { hasHEVC = true }
    let start = packet.data.lowerBound - tag.data.lowerBound
    switch packet.kind {
    case .configuration:
      try reader.withData(of: tag) { data in
        let record = start..<packet.data.upperBound - tag.data.lowerBound
        if record.lowerBound <= record.upperBound {
          judge.configure(packet, data.extracting(record))
        }
      }
    case .frames:
      change.isKey = try judge.isKey(packet, of: tag, in: &reader)
      if change.isKey {
        report.keyFrames += 1
        hasKeys = true
      }
      change.presentation = time + Int64(packet.compositionTime)
    default: break
    }
    guard packet.codec == .hevc || (packet.codec == .avc && packet.form == .legacy) else {
      return change
    }
    return try rewrite(tag, packets, time, &change) ? change : nil
  }

  private mutating func repaired(_ tag: Tag, _ packets: [Packet]) -> Int64 {
    let time = times.time(of: tag.header, packets, tag.time)
    report.heldTimes = times.held
    report.restarts = times.restarts
    return time
  }

  /// Takes out the first `onMetaData`, and corrects the codec id in later ones.
  private mutating func script(_ tag: Tag, _ change: inout Change, in reader: TagReader)
    throws(SyntaxError) -> Bool
  {
    guard case .script(let message) = reader.content(of: tag), message.metadata != nil else {
      return true
    }
    if metadata == nil {
      metadata = message
      return false
    }
    guard hasHEVC, let dialect = options.dialect, var object = message.metadata,
      object["videocodecid"]?.number != nil
    else { return true }
    object["videocodecid"] = .number(dialect.videoCodecID)
    change.head = try message.replacing(object).bytes()
    change.replaced = tag.data.count
    return true
  }

  /// - Returns: whether there is anything to write.
  private mutating func rewrite(
    _ tag: Tag, _ packets: [Packet], _ time: Int64, _ change: inout Change
  ) throws(SyntaxError) -> Bool {
    let packet = packets[0]
    let target: Packet.Form =
      packet.codec == .hevc ? options.dialect.map(Packet.Form.init) ?? packet.form : packet.form
    let isPlain = packets.count == 1 && packet.trackID == 0 && packet.nanoseconds == 0
    let hasHead = [.configuration, .frames, .end].contains(packet.kind)
    if !isPlain || !hasHead {
      guard target == .legacy, packet.form == .enhanced else { return true }
      guard packets.count == 1, packet.trackID == 0 else {
        throw SyntaxError(
          .unsupported, field: "videoTrackId", offset: tag.offset,
          detail: "is not 0 alone; the legacy dialect has one video track")
      }
      if packet.kind == .metadata { report.lostColours += 1 }
      if packet.nanoseconds > 0 { report.lostNanoseconds += 1 }
      guard hasHead else { return false }
    }
    let frameType = frameType(of: packet, isKey: change.isKey)
    let moved = options.repairsTimes ? Int64(packet.compositionTime) + drift(of: tag, time) : 0
    let offset =
      options.repairsTimes && packet.kind == .frames
      ? Int32(clamping: min(max(moved, -0x80_0000), 0x7f_ffff)) : packet.compositionTime
    guard
      target != packet.form || frameType != packet.frameType || offset != packet.compositionTime
    else { return true }
    let head = PacketHead(
      form: target, codec: "hvc1",
      codecID: packet.codec == .avc ? LegacyVideo.avc : LegacyVideo.hevc, kind: packet.kind,
      frameType: frameType, compositionTime: offset)
    guard head.append(to: &change.head) else { return false }
    change.replaced = packet.data.lowerBound - tag.data.lowerBound
    if packet.kind == .frames { change.presentation = time + Int64(offset) }
    if target != packet.form { report.converted += 1 }
    return true
  }

  /// Returns the frame type of the tag, corrected if the NAL units contradict it.
  private mutating func frameType(of packet: Packet, isKey: Bool) -> FrameType {
    guard packet.kind == .frames else { return .key }
    let said = packet.frameType
    let saysKey = said == .key || said == .generatedKey
    // A stream without random access pictures is refreshed gradually; there the tag is trusted.
    let isFalse = saysKey ? !isKey && hasKeys : isKey
    guard isFalse || !(1...4).contains(said.rawValue) else { return said }
    report.frameTypes += 1
    return isKey ? .key : .inter
  }

  /// Returns the correction of the composition time for a held frame, whose presentation time is unchanged.
  private func drift(of tag: Tag, _ time: Int64) -> Int64 {
    times.isHeld ? tag.time + times.offset - time : 0
  }

  mutating func passOver(_ junk: Range<Int>) { report.junk += junk.count }
  mutating func passOverTruncated() { report.isTruncated = true }
}

extension Packet.Form {
  init(_ dialect: HEVCDialect) { self = dialect == .legacy ? .legacy : .enhanced }
}
