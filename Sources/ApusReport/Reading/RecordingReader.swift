// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusSamples
internal import FLV
internal import HEVC

/// Finds out what happened to a live stream while it was recorded: the places where it was set up again, and the
/// reasons why samples are missing.
struct RecordingReader {
  /// The times at which metadata or configurations were repeated, in seconds of the file.
  private(set) var setups: [Double] = []

  private static let most = 200
  /// The maximum distance of a restart from the end of its gap, in seconds.
  private static let near = 1.0

  init() {}

  /// Reads the tags of Flash Video.
  init(tagsOf source: any ByteSource, limits: Limits) {
    do throws(SyntaxError) {
      try read(try TagReader(source, limits: limits), limits)
    } catch {
      // The tree shows where tags cannot be read.
    }
  }

  private mutating func read(_ reader: TagReader, _ limits: Limits) throws(SyntaxError) {
    var reader = reader
    var hasFrames: Set<TagType> = []
    // The times of metadata are arbitrary, so the time of the following tag is used.
    var followsMetadata = false
    while let tag = try reader.nextTag(), setups.count < Self.most {
      let type = tag.header.type
      if type == .script, !hasFrames.isEmpty { followsMetadata = true }
      guard type.isMedia else { continue }
      let packets = try reader.packets(of: tag, limits: limits)
      let isConfiguration = packets.contains { $0.kind == .configuration }
      if packets.contains(where: { $0.kind == .frames }) { hasFrames.insert(type) }
      guard followsMetadata || isConfiguration && hasFrames.contains(type) else { continue }
      followsMetadata = false
      let time = Double(tag.time) / 1000
      if setups.last.map({ time - $0 > Self.near }) ?? true { setups.append(time) }
    }
  }

  /// Sets the reasons why samples are missing, from the samples that the other tracks have there.
  func settle(_ timelines: inout [Timeline]) {
    let all = timelines
    for index in timelines.indices {
      let others = all.indices.filter { $0 != index && all[$0].count > 1 }.map { all[$0] }
      for gap in timelines[index].gaps.indices {
        timelines[index].gaps[gap].cause = cause(
          of: timelines[index].gaps[gap], in: all[index], beside: others)
      }
    }
  }

  private func cause(of gap: Timeline.Gap, in timeline: Timeline, beside others: [Timeline])
    -> Timeline.Gap.Cause?
  {
    let begin = timeline.start + gap.time
    let end = begin + gap.length
    let beside = others.filter { $0.start < end && begin < $0.start + $0.duration }
    let goesOn = beside.contains { other in
      !other.gaps.contains {
        other.start + $0.time < end && begin < other.start + $0.time + $0.length
      }
    }
    if goesOn { return .dropped }
    if setups.contains(where: { abs($0 - end) <= Self.near || (begin...end).contains($0) }) {
      return .reconnected
    }
    return beside.isEmpty ? nil : .interrupted
  }
}

extension CodedSample {
  /// Returns whether its picture marks earlier ones as missing; `lengthSize` is that of its NAL units.
  func isBrokenLink(lengthSize: Int) -> Bool {
    guard isSync, let heads = try? LengthPrefixed.heads(in: payload, lengthSize: lengthSize) else {
      return false
    }
    let first = heads.lazy.map { NALUnitType(firstByte: $0.first) }.first(
      where: \.isVCL)
    return first?.isBLA ?? false
  }
}
