// SPDX-License-Identifier: MIT

internal import FLV
internal import RTMP
internal import Transport

/// Gives a live stream on to those who play it: metadata and configurations first, then from a key frame on.
struct IngestPlayers {
  private var players: [Player] = []

  private struct Player {
    var link: ServerLink
    var hasBegun = false
  }

  /// What a player may leave untaken before it is closed.
  private static let bound = 16 << 20

  var count: Int { players.count }

  mutating func add(_ link: ServerLink) { players.append(Player(link: link)) }

  mutating func remove(_ link: ServerLink) { players.removeAll { $0.link === link } }

  /// The stream is over.
  mutating func end() {
    for player in players { player.link.end() }
    players = []
  }

  /// Gives a tag on; returns the players that do not keep up, which are none any more.
  ///
  /// - Parameter start: what the stream has said so far, the tag included.
  mutating func forward(_ tag: ReceivedTag, _ start: StreamStart) -> [ServerLink] {
    guard !players.isEmpty else { return [] }
    let canBegin = players.contains { !$0.hasBegun } && start.beginning(at: tag) != nil
    var slow: [ServerLink] = []
    let output = [Self.output(tag, at: tag.time)]
    let opening = canBegin ? start.setup.map { Self.output($0, at: tag.time) } : nil
    for index in players.indices {
      let isSent = Self.send(output, after: opening, to: &players[index])
      if !isSent { slow.append(players[index].link) }
    }
    for link in slow { remove(link) }
    return slow
  }

  /// False where the player does not keep up.
  ///
  /// - Parameter opening: what precedes the tag for those who begin with it; `nil` where no player can.
  private static func send(
    _ tags: [OutgoingTag], after opening: [OutgoingTag]?, to player: inout Player
  ) -> Bool {
    var tags = tags
    if !player.hasBegun {
      guard let opening else { return true }
      player.hasBegun = true
      tags = opening + tags
    }
    guard player.link.queued < bound else { return false }
    do throws(SessionError) {
      try player.link.send(tags)
      return true
    } catch {
      return false
    }
  }

  private static func output(_ tag: ReceivedTag, at time: Int64) -> OutgoingTag {
    OutgoingTag(tag.type, time: time, head: tag.data)
  }
}
