// SPDX-License-Identifier: MIT

internal import Bytes
internal import Containers
internal import FLV
internal import RTMP
internal import Transport

/// Gives a live stream on to those who play it: metadata and configurations first, then from a key frame on.
struct IngestPlayers {
  private var players: [Player] = []
  /// Metadata and configurations, each the last of its kind.
  private var setup: [(kind: String, tag: ReceivedTag)] = []
  private var hasVideo = false
  private var judge = KeyFrameJudge()

  private struct Player {
    var link: ServerLink
    var hasBegun = false
  }

  /// What a player may leave untaken before it is closed.
  private static let bound = 16 << 20
  /// Bounds on what is kept for players to come.
  private static let maxSetups = 64
  private static let maxSetupSize = 1 << 18

  mutating func add(_ link: ServerLink) { players.append(Player(link: link)) }

  mutating func remove(_ link: ServerLink) { players.removeAll { $0.link === link } }

  /// The stream is over.
  mutating func end() {
    for player in players { player.link.end() }
    players = []
  }

  /// Gives a tag on; returns the players that do not keep up, which are none any more.
  mutating func take(_ tag: ReceivedTag) -> [ServerLink] {
    let packet = Self.packet(of: tag)
    let isSetup = tag.type == .script || (packet.map { $0.kind != .frames } ?? false)
    if isSetup { keep(tag, packet) }
    if tag.type == .video { hasVideo = true }
    guard !players.isEmpty else { return [] }
    let canBegin =
      !isSetup && players.contains { !$0.hasBegun } && canBegin(at: tag, packet)
    var slow: [ServerLink] = []
    for index in players.indices where !send(tag, canBegin: canBegin, to: &players[index]) {
      slow.append(players[index].link)
    }
    for link in slow { remove(link) }
    return slow
  }

  /// The packet of a tag; the first where it has several.
  private static func packet(of tag: ReceivedTag) -> Packet? {
    let head = tag.data.span.extracting(0..<min(8, tag.data.count))
    if let packet = Packet(tag.type, head, data: 0..<tag.data.count) { return packet }
    guard tag.type.isMedia,
      let header = try? TagHeader(tag.type, dataSize: tag.data.count, timestamp: tag.timestamp)
    else { return nil }
    return FLVTracks.Item.items(of: header, tag.data, at: tag.time, offset: 0, Limits()).first?
      .packet
  }

  /// Whether it is a picture at which decoders can begin, or sound without pictures.
  private func canBegin(at tag: ReceivedTag, _ packet: Packet?) -> Bool {
    guard tag.type == .video else { return !hasVideo }
    // A key frame of a further track of video is no beginning.
    guard packet?.trackID ?? 0 == 0 else { return false }
    guard let packet, packet.codec == .hevc else {
      return tag.data.first.map { FrameType(rawValue: $0 >> 4 & 7) == .key } ?? false
    }
    return AccessUnit(
      .hevc, tag.data.span.extracting(packet.data), lengthSize: judge.lengthSize(of: 0),
      isWhole: false
    ).isRandomAccess
  }

  private mutating func keep(_ tag: ReceivedTag, _ packet: Packet?) {
    guard packet?.kind != .end, tag.data.count <= Self.maxSetupSize else { return }
    if let packet, packet.kind == .configuration {
      judge.configure(packet, tag.data.span.extracting(packet.data))
    }
    let kind = "\(tag.type) \(packet.map { "\($0.kind) \($0.trackID)" } ?? "")"
    if let index = setup.firstIndex(where: { $0.kind == kind }) {
      setup[index].tag = tag
    } else if setup.count < Self.maxSetups {
      setup.append((kind, tag))
    }
  }

  /// False where the player does not keep up.
  private func send(_ tag: ReceivedTag, canBegin: Bool, to player: inout Player) -> Bool {
    var tags: [ReceivedTag] = []
    if !player.hasBegun {
      guard canBegin else { return true }
      player.hasBegun = true
      tags = setup.map(\.tag)
    }
    tags.append(tag)
    guard player.link.queued < Self.bound else { return false }
    do throws(SessionError) {
      try player.link.send(
        tags.map { OutgoingTag($0.type, time: tag.time, head: $0.data) })
      return true
    } catch {
      return false
    }
  }
}
