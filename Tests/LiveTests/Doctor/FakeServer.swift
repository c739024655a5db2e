// SPDX-License-Identifier: MIT

import ApusTransport
import FLV
import RTMP

/// A server that relays what is published to it, as well as it is told to.
final class FakeServer {
  enum Habit: String, CaseIterable, Sendable {
    case relays, dropsEnhanced, dropsVideo, changes, givesNothing, refusesPlayers, refusesPublishers
    case closes, isSilent
  }

  private(set) var port: UInt16 = 0
  private let habit: Habit
  private var listener: Listener?
  private var players: [ServerLink] = []
  private var publisher: ServerLink?

  init(_ habit: Habit, on loop: EventLoop) throws(TransportError) {
    self.habit = habit
    let listener = try Listener(host: "127.0.0.1", port: 0, ServerConfiguration(), on: loop) {
      [unowned self] link, event in take(event, of: link)
    }
    self.listener = listener
    port = listener.port
  }

  private func take(_ event: ServerLinkEvent, of link: ServerLink) {
    switch event {
    case .request(let request) where request.purpose == .publish:
      if habit == .isSilent { return }
      guard habit != .refusesPublishers else {
        return link.refuse(Status(level: "error", code: "NetStream.Publish.Denied", text: "no"))
      }
      publisher = link
      link.accept()
    case .request:
      guard habit != .refusesPlayers else {
        return link.refuse(
          Status(level: "error", code: "NetStream.Play.StreamNotFound", text: "not here"))
      }
      players.append(link)
      link.accept()
    case .tag(let tag):
      if habit == .closes, tag.type == .video { return link.abort() }
      relay(tag)
    case .ended: players.removeAll { $0 === link }
    default: break
    }
  }

  private func relay(_ tag: ReceivedTag) {
    var data = tag.data
    if tag.type == .video {
      let isEnhanced = data.first.map { $0 & 0x80 != 0 } ?? false
      if habit == .dropsVideo || habit == .dropsEnhanced && isEnhanced { return }
      if habit == .changes { data[data.count - 1] ^= 1 }
    }
    if habit == .givesNothing { return }
    for player in players {
      // A player that is gone is told of by its last event.
      do throws(SessionError) {
        try player.send([OutgoingTag(tag.type, time: tag.time, head: data)])
      } catch {}
    }
  }
}
