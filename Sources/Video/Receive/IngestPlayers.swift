// SPDX-License-Identifier: MIT

internal import FLV
internal import RTMP
internal import Transport

/// Gives a live stream on to those who play it: metadata and configurations first, then from a key frame on.
struct IngestPlayers {
  private var players: [Player] = []
  /// Metadata and configurations, each the last of its kind.
  private var setup: [(kind: String, tag: ReceivedTag)] = []
  private var hasVideo = false

  private struct Player {
    var link: ServerLink
    var hasBegun = false
  }

  /// What a player may leave untaken before it is closed.
  private static let bound = 16 << 20

  mutating func add(_ link: ServerLink) { players.append(Player(link: link)) }

  mutating func remove(_ link: ServerLink) { players.removeAll { $0.link === link } }

  /// The stream is over.
  mutating func end() {
    for player in players { player.link.end() }
    players = []
  }

  mutating func take(_ tag: ReceivedTag) {
    let packet = Packet(
      tag.type, tag.data.span.extracting(0..<min(8, tag.data.count)), data: 0..<tag.data.count)
    let isSetup = tag.type == .script || (packet.map { $0.kind != .frames } ?? false)
    if isSetup { keep(tag, packet) }
    if tag.type == .video { hasVideo = true }
    guard !players.isEmpty else { return }
    let isKey = !isSetup && (tag.type == .video ? packet?.frameType == .key : !hasVideo)
    for index in players.indices.reversed()
    where !send(tag, isSetup: isSetup, isKey: isKey, to: &players[index]) {
      players[index].link.abort()
      players.remove(at: index)
    }
  }

  private mutating func keep(_ tag: ReceivedTag, _ packet: Packet?) {
    guard packet?.kind != .end else { return }
    let kind = "\(tag.type) \(packet.map { "\($0.kind) \($0.trackID)" } ?? "")"
    if let index = setup.firstIndex(where: { $0.kind == kind }) {
      setup[index].tag = tag
    } else {
      setup.append((kind, tag))
    }
  }

  /// False where the player does not keep up.
  private func send(_ tag: ReceivedTag, isSetup: Bool, isKey: Bool, to player: inout Player) -> Bool
  {
    var tags: [ReceivedTag] = []
    if !player.hasBegun {
      guard isKey else { return true }
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
