// SPDX-License-Identifier: MIT

import ApusLive
import ApusMedia
import ApusThreads
import ApusTransport
import Synchronization

/// Reports what happens to the inputs of a stream, as text or JSON.
///
/// Only one thread at a time calls its functions: the one that opens the input until `relay`, then the loop's.
final class InputReporter: @unchecked Sendable {
  private let console: Console
  private let isJSON: Bool
  private let names: [String]
  private let line: StatusLine
  private let loop: EventLoop
  private let isRelayed = Mutex(false)
  private var switches = 0
  /// Nanoseconds for which the stand-by played, not counting the current time.
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

  /// Reports further events on the loop.
  func relay() { isRelayed.withLock { $0 = true } }

  /// Reports how often the stand-by took over, if it did.
  func end() {
    if let began { time += loop.now - began }
    began = nil
    guard switches > 0 else { return }
    if isJSON { return standby(.total) }
    let times = switches == 1 ? "once" : "\(switches) times"
    note(
      "the stand-by took over \(times), for \(StreamText.seconds(.nanoseconds(time))) s in total")
  }

  private func tell(_ event: InputEvent) {
    let name =
      if case .began(let place) = event, names.indices.contains(place) { names[place] } else { "" }
    switch event {
    case .stalled:
      switches += 1
      began = loop.now
      if isJSON { return standby(.on) }
      warn("no input; the stand-by takes over")
    case .resumed(let length):
      time += length.nanoseconds
      began = nil
      if isJSON { return standby(.off) }
      note("the input is back, after \(StreamText.seconds(length)) s of the stand-by")
    case _ where isJSON: console.writeEvent(StreamLine(event: .input(event, name: name)))
    case .began: detail("now playing \(name)")
    case .reopened(let error):
      if let error {
        warn("\(error)\(console.advice(on: error)); reopening the input")
      } else {
        note("the input ended; reopening it")
      }
    case .connecting(let address, let attempt):
      detail("playing \(address)" + (attempt > 1 ? ", attempt \(attempt)" : ""))
    case .lost(let reason, let wait):
      warn("\(reason); retrying the input in \(StreamText.seconds(wait)) s")
    case .warning(let words): warn(words)
    }
  }

  private func standby(_ state: StreamLine.Standby) {
    console.writeEvent(
      StreamLine(event: .standby(state, switches: switches, time: time)))
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
