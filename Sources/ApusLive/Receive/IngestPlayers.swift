// SPDX-License-Identifier: MIT

internal import ApusTransport
internal import FLV
internal import RTMP

/// Relays a live stream to its players: metadata and configurations first, then everything from a key frame on.
struct IngestPlayers {
  private var players: [Player] = []

  private struct Player {
    var link: ServerLink
    var hasBegun = false
  }

  /// The number of unsent bytes above which a player is disconnected.
  private static let bound = 16 << 20

  var count: Int { players.count }

  mutating func add(_ link: ServerLink) { players.append(Player(link: link)) }

  mutating func remove(_ link: ServerLink) { players.removeAll { $0.link === link } }

  /// Ends the stream for all players.
  mutating func end() {
    for player in players { player.link.end() }
    players = []
  }

  /// Relays a tag; removes and returns the players that are too slow.
  ///
  /// - Parameter start: the beginning of the stream so far, including the tag.
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

  /// Sends tags; returns `false` if the player is too slow.
  ///
  /// - Parameter opening: the tags to be sent first to a player that begins with this one; `nil` where none can begin.
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
