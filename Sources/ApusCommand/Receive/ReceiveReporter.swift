// SPDX-License-Identifier: MIT

import ApusFiles
import ApusLive
import ApusThreads
import Glibc

/// Reports the progress of streams, as text with a status line on a terminal, or as JSON.
final class ReceiveReporter {
  private(set) var recordings = 0
  private(set) var failures = 0

  private let console: Console
  private let isJSON: Bool
  private let line: StatusLine
  private var ended: (bytes: Int, streams: Int) = (0, 0)
  private var meter = RateMeter()

  init(_ console: Console, isJSON: Bool) {
    self.console = console
    self.isJSON = isJSON
    line = StatusLine(console, isWanted: !isJSON)
  }

  /// Nanoseconds between two calls of `tick`.
  var interval: Int64 { line.interval }

  func report(_ event: IngestEvent) {
    count(event)
    if case .forward(_, _, .configuration) = event { return }
    if isJSON { return console.writeEvent(event) }
    line.clear()
    switch event {
    case .listening(let host, let port): console.note("waiting at \(host), port \(port)")
    case .connected(let client, let peer): console.detail("client \(client): \(peer)")
    case .publishing(let client, let name, let path, let software):
      console.note("\(name): client \(client) (\(software)) publishes, recorded in \(path)")
    case .format(let client, let words): console.note("client \(client): \(words)")
    case .playing(let client, let name): console.note("\(name): client \(client) plays")
    case .warning(let client, let words): console.warn("client \(client): \(words)")
    case .failed(_, let name, let reason): console.fail("\(name): \(reason)")
    case .ended(_, let name, let statistics, let error):
      let words = "\(name): \(ReceiveText.summary(statistics))"
      if let error { console.warn("\(words); \(error)") } else { console.note(words) }
    case .part(_, let name, let path): console.note("\(name): continues in \(path)")
    case .removed(let name, let path): console.note("\(name): \(path) was removed")
    case .written(let name, let path, let bytes):
      console.note("\(name): \(path) is finished, \(bytes) bytes")
    case .unfinished(let name, let path, let reason):
      console.fail("\(name): \(path) is not finished: \(reason)")
    case .empty(let name, let path, let isOldThere):
      console.warn("\(name): \(path): \(ReceiveText.empty(isOldThere: isOldThere))")
    case .forward(let name, let target, let event):
      guard let text = ForwardText(event) else { return }
      let words = "\(name), server \(target): \(text.words)"
      switch text.weight {
      case .detail: console.detail(words)
      case .note: console.note(words)
      case .warning: console.warn(words)
      }
    case .forwardFailed(let name, let target, let reason):
      let words = target > 0 ? "\(name), server \(target)" : name
      console.fail("\(words): relaying stopped: \(reason)")
    case .presentationFailed(let name, let reason):
      console.fail("\(name): HLS stopped: \(reason)")
    case .presentationResumed(let name): console.note("\(name): HLS resumed")
    case .refused(let client, let reason): console.warn("client \(client): \(reason)")
    }
  }

  private func count(_ event: IngestEvent) {
    switch event {
    case .ended(_, _, let statistics, _):
      ended.bytes += statistics.bytes
      ended.streams += 1
    case .written: recordings += 1
    case .failed, .unfinished, .forwardFailed, .presentationFailed: failures += 1
    default: break
    }
  }

  /// Updates the status line.
  func tick(_ live: [IngestStatistics], at now: Int64) {
    meter.add(bytes: live.reduce(ended.bytes) { $0 + $1.bytes }, at: now)
    line.show(ReceiveText.status(live, bitRate: meter.bitRate))
  }

  func end() { line.clear() }
}

/// Formats facts about incoming streams as text.
enum ReceiveText {
  static func empty(isOldThere: Bool) -> String {
    isOldThere
      ? "nothing was recorded, so the existing file is kept"
      : "nothing was recorded, so it was removed"
  }

  static func status(_ live: [IngestStatistics], bitRate: Int) -> String {
    let longest = live.map(\.duration).max() ?? .zero
    return [
      live.count == 1 ? "1 stream" : "\(live.count) streams", StreamText.time(longest),
      StreamText.rate(bitRate),
    ].joined(separator: "  ")
  }

  static func summary(_ statistics: IngestStatistics) -> String {
    "received \(StreamText.time(statistics.duration)), \(statistics.tags) tags, "
      + "\(statistics.bytes) bytes"
  }
}
