// SPDX-License-Identifier: MIT

import Live
import Media
import Synchronization
import Transport

/// Tells a person or a program what happens to the inputs of a stream.
///
/// Its functions are called by one thread at a time: until `relay` by the one that opens the input, then by the loop's.
final class InputReporter: @unchecked Sendable {
  private let console: Console
  private let isJSON: Bool
  private let names: [String]
  private let line: StatusLine
  private let loop: EventLoop
  private let isRelayed = Mutex(false)
  private var switches = 0
  /// Nanoseconds for which the stand-by played, before it began the last time.
  private var time: Int64 = 0
  private var began: Int64?

  init(_ console: Console, isJSON: Bool, _ names: [String], _ line: StatusLine, on loop: EventLoop)
  {
    self.console = console
    self.isJSON = isJSON
    self.names = names
    self.line = line
    self.loop = loop
  }

  /// Reports an event, from any thread.
  func report(_ event: InputEvent) {
    let isRelayed = isRelayed.withLock { isRelayed in
      if !isRelayed { tell(event) }
      return isRelayed
    }
    if isRelayed { loop.perform { self.tell(event) } }
  }

  /// Events are reported by the loop from now on.
  func relay() { isRelayed.withLock { $0 = true } }

  /// How often the stand-by took over, where it did.
  func end() {
    if let began { time += loop.now - began }
    began = nil
    guard switches > 0 else { return }
    if isJSON { return standby("total") }
    let times = switches == 1 ? "once" : "\(switches) times"
    note("the stand-by took over \(times), for \(StreamText.seconds(time)) s in all")
  }

  private func tell(_ event: InputEvent) {
    switch event {
    case .began(let place):
      let name = names.indices.contains(place) ? names[place] : ""
      if isJSON { return input("begins") { $0.field("name", name) } }
      detail("\(name) begins")
    case .stalled:
      switches += 1
      began = loop.now
      if isJSON { return standby("on") }
      warn("the input gives nothing; the stand-by takes over")
    case .resumed(let length):
      time += length
      began = nil
      if isJSON { return standby("off") }
      note("the input goes on, after \(StreamText.seconds(length)) s of the stand-by")
    case .reopened(let error):
      if isJSON { return input("reopened") { $0.field("reason", error?.text ?? "it ended") } }
      if let error {
        warn("\(error)\(console.advice(on: error)); the input is opened again")
      } else {
        note("the input ended, and is opened again")
      }
    case .connecting(let address, let attempt):
      guard isJSON else {
        return detail("playing \(address)" + (attempt > 1 ? ", attempt \(attempt)" : ""))
      }
      input("connecting") { json in
        json.field("name", "\(address)")
        json.field("attempt", attempt)
      }
    case .lost(let reason, let wait):
      guard isJSON else {
        return warn("\(reason); the input is asked for again in \(StreamText.seconds(wait)) s")
      }
      input("lost") { json in
        json.field("reason", reason)
        json.key("retry_after")
        json.number(Double(wait / 1_000_000) / 1000)
      }
    case .warning(let words):
      if isJSON { return console.writeEvent { StreamJSON().write(.warning(words), to: &$0) } }
      warn(words)
    }
  }

  private func input(_ state: String, _ body: (inout JSONWriter<ResultStream>) -> Void) {
    console.writeEvent { StreamJSON().input(state, to: &$0, body) }
  }

  private func standby(_ state: String) {
    console.writeEvent {
      StreamJSON().standby(state, switches: switches, time: time, to: &$0)
    }
  }

  private func note(_ message: String) {
    line.clear()
    console.note(message)
  }

  private func detail(_ message: String) {
    line.clear()
    console.detail(message)
  }

  private func warn(_ message: String) {
    line.clear()
    console.warn(message)
  }
}
