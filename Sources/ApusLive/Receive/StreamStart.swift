// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import FLV
internal import RTMP

/// The data needed to begin in the middle of a live stream: metadata and configurations, and a picture at which
/// decoders can begin. It is used for players and for the parts of a recording.
struct StreamStart {
  /// Metadata and configurations, the last of each kind.
  private var kept: [(kind: String, tag: ReceivedTag)] = []
  private var hasVideo = false
  private var judge = KeyFrameJudge()

  /// The most tags and bytes that are kept.
  private static let mostKept = 64
  private static let mostBytes = 1 << 18

  /// The tags that precede everything else.
  var setup: [ReceivedTag] { kept.map(\.tag) }

  mutating func add(_ tag: ReceivedTag) {
    if tag.type == .video { hasVideo = true }
    let packet = Self.packet(of: tag)
    guard tag.type == .script || packet.map({ $0.kind != .frames }) ?? false else { return }
    keep(tag, packet)
  }

  /// Returns the presentation time of a picture at which decoders can begin, or of sound in a stream without pictures,
  /// in milliseconds; `nil` for every other tag.
  func beginning(at tag: ReceivedTag) -> Int64? {
    guard tag.type.isMedia else { return nil }
    let packet = Self.packet(of: tag)
    if let packet, packet.kind != .frames { return nil }
    guard tag.type == .video else { return hasVideo ? nil : tag.time }
    // A key frame of a further video track does not count.
    guard packet?.trackID ?? 0 == 0 else { return nil }
    let shown = tag.time + Int64(packet?.compositionTime ?? 0)
    guard let packet, packet.codec == .hevc else {
      return tag.data.first.flatMap { FrameType(rawValue: $0 >> 4 & 7) == .key ? shown : nil }
    }
    let unit = AccessUnit(
      .hevc, tag.data.span.extracting(packet.data), lengthSize: judge.lengthSize(of: 0),
      isWhole: false)
    return unit.isRandomAccess ? shown : nil
  }

  /// Returns the packet of a tag; the first if it has several.
  private static func packet(of tag: ReceivedTag) -> Packet? {
    (try? tag.packets())?.first
  }

  private mutating func keep(_ tag: ReceivedTag, _ packet: Packet?) {
    guard packet?.kind != .end, tag.data.count <= Self.mostBytes else { return }
    if let packet, packet.kind == .configuration {
      judge.configure(packet, tag.data.span.extracting(packet.data))
    }
    let kind = "\(tag.type) \(packet.map { "\($0.kind) \($0.trackID)" } ?? "")"
    if let index = kept.firstIndex(where: { $0.kind == kind }) {
      kept[index].tag = tag
    } else if kept.count < Self.mostKept {
      kept.append((kind, tag))
    }
  }
}
