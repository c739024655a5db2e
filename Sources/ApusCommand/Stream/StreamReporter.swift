// SPDX-License-Identifier: MIT

import ApusFiles
import ApusLive
import ApusMedia
import FLV
import Glibc

/// Reports the progress of a stream, as text with a status line on a terminal, or as JSON.
final class StreamReporter {
  private let console: Console
  private let isJSON: Bool
  private let line: StatusLine
  /// The target; `nil` if there is only one.
  private let target: (number: Int, name: String)?
  private var drops: [Drop] = []
  private var meter = RateMeter()

  /// - Parameter target: the target among several, which share a status line; `nil` if there is only one.
  init(_ console: Console, isJSON: Bool, _ target: (number: Int, name: String)?, _ line: StatusLine)
  {
    self.console = console
    self.isJSON = isJSON
    self.target = target
    self.line = line
  }

  private var prefix: String { target.map { "\($0.name): " } ?? "" }

  func report(_ event: PublishEvent) {
    if isJSON {
      if case .ended = event { return }
      return write(.publish(event))
    }
    switch event {
    case .connecting(let address, let attempt):
      detail("connecting to \(address)" + (attempt > 1 ? ", attempt \(attempt)" : ""))
    case .publishing(let address, let dialect, let time):
      let words = dialect.map { ", HEVC in the \($0.rawValue) dialect" } ?? ""
      note(
        "publishing to \(address)\(words)" + (time > .zero ? ", from \(StreamText.time(time))" : "")
      )
    case .opening(let name, let attempt):
      detail("connecting to \(name)" + (attempt > 1 ? ", attempt \(attempt)" : ""))
    case .sending(let name, let time):
      note("sending to \(name)" + (time > .zero ? ", from \(StreamText.time(time))" : ""))
    case .lost(let reason, let wait):
      let words = wait > .zero ? "; next attempt in \(StreamText.seconds(wait)) s" : ""
      let isFirst = reason.hasPrefix("cannot connect")
      warn((isFirst ? "" : "connection lost: ") + reason + words)
    case .moving(let address): note("the server asks to reconnect to \(address)")
    case .configuration(let time):
      detail("new parameter sets at \(StreamText.time(time))")
    case .dropped(let drop): drops.merge(drop)
    case .status(let status):
      detail("server: \(status)")
    case .warning(let words): warn(words)
    case .ended(let statistics):
      tellDrops()
      if statistics.samples > 0 { note(StreamText.summary(statistics)) }
    }
  }

  /// Updates the status line.
  func tick(_ state: BroadcastState, at now: Int64) {
    meter.add(bytes: state.bytesSent, at: now)
    if isJSON { return write(.progress(state, bitRate: meter.bitRate)) }
    tellDrops()
    guard target == nil else { return }
    line.show(StreamText.status(state, bitRate: meter.bitRate))
  }

  func end(_ statistics: PublishStatistics, _ error: MediaError?, isInterrupted: Bool) {
    line.clear()
    if isJSON {
      write(.ended(statistics, error: error?.text, isInterrupted: isInterrupted))
    }
    if let error { console.fail(prefix + error.description + console.advice(on: error)) }
  }

  private func tellDrops() {
    if let words = StreamText.drops(drops) { warn(words) }
    drops = []
  }

  private func note(_ message: String) {
    line.clear()
    console.note(prefix + message)
  }

  private func detail(_ message: String) {
    line.clear()
    console.detail(prefix + message)
  }

  private func warn(_ message: String) {
    line.clear()
    console.warn(prefix + message)
  }

  private func write(_ event: StreamLine.Event) {
    console.writeEvent(StreamLine(target: target?.number, event: event))
  }
}
