// SPDX-License-Identifier: MIT

import ApusFiles
import ApusTransport
import RTMP
import TestSupport
import Testing

@testable import ApusLive
@testable import ApusSamples

/// An ingest server on a port of loopback, its loop, and what it told.
final class IngestBench {
  let loop: EventLoop
  let folder: TestFolder
  private(set) var events: [IngestEvent] = []
  /// Told after each event.
  var onEvent: (IngestEvent) -> Void = { _ in }
  private(set) var ingest: Ingest?
  let path: String

  init(_ target: RemuxTarget, once: Bool = true, onExists: OnExists = .rename) throws {
    loop = try EventLoop()
    folder = try TestFolder()
    path = "\(folder.path)/out.\(target.pathExtension)"
    var options = IngestOptions(app: "live", to: .file(path), as: target)
    options.access = ServerConfiguration.Access(app: "live", key: StreamKey("key"))
    options.once = once
    options.onExists = onExists
    let ingest = try Ingest(host: "127.0.0.1", port: 0, options, on: loop) { [unowned self] event in
      events.append(event)
      onEvent(event)
    }
    ingest.onEnd = { [loop] in loop.stop() }
    self.ingest = ingest
  }

  func url(app: String = "live", key: String = "key") -> String {
    "rtmp://127.0.0.1:\(ingest?.port ?? 0)/\(app)/\(key)"
  }

  /// Runs until the server has ended.
  func run() {
    let alarm = loop.after(20_000_000_000) { [loop] in
      Issue.record("the server does not end")
      loop.stop()
    }
    loop.run()
    loop.cancel(alarm)
  }

  var written: [String] {
    events.compactMap { if case .written(_, let path, _) = $0 { path } else { nil } }
  }

  /// Why each stream ended; an empty text where it ended in order.
  var endings: [String] {
    events.compactMap { if case .ended(_, _, _, let error) = $0 { error ?? "" } else { nil } }
  }

  var refusals: [String] {
    events.compactMap { if case .refused(_, let reason) = $0 { reason } else { nil } }
  }
}
