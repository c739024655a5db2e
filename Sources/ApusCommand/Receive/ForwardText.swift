// SPDX-License-Identifier: MIT

import ApusFacts
import ApusLive
import FLV

/// An event of a forwarded stream as text.
struct ForwardText {
  enum Weight { case detail, note, warning }

  enum State: String, CaseIterable, FactValue {
    case connecting, publishing, lost, moving, dropped, status, warning, ended, failed
  }

  var state: State
  var words: String
  var weight: Weight

  /// Returns `nil` for events that are not reported.
  init?(_ event: PublishEvent) {
    switch event {
    case .connecting(let address, let attempt):
      let words = attempt > 1 ? ", attempt \(attempt)" : ""
      (state, self.words, weight) = (.connecting, "connecting to \(address)\(words)", .detail)
    case .publishing(let address, let dialect, _):
      let words = dialect.map { ", HEVC in the \($0.rawValue) dialect" } ?? ""
      (state, self.words, weight) = (.publishing, "publishing to \(address)\(words)", .note)
    case .opening(let name, _):
      (state, words, weight) = (.connecting, "connecting to \(name)", .detail)
    case .sending(let name, _): (state, words, weight) = (.publishing, "sending to \(name)", .note)
    case .lost(let reason, let wait):
      let words = wait > .zero ? "; next attempt in \(StreamText.seconds(wait)) s" : ""
      (state, self.words, weight) = (.lost, reason + words, .warning)
    case .moving(let address):
      (state, words, weight) = (.moving, "the server asks to reconnect to \(address)", .note)
    case .dropped(let drop):
      (state, words, weight) = (.dropped, StreamText.drops([drop]) ?? "", .detail)
    case .status(let status): (state, words, weight) = (.status, "server: \(status)", .detail)
    case .warning(let text): (state, words, weight) = (.warning, text, .warning)
    case .ended(let statistics):
      (state, words, weight) = (.ended, StreamText.summary(statistics), .note)
    case .configuration: return nil
    }
  }
}
