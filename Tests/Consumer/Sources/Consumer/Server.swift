// SPDX-License-Identifier: MIT

import ApusContainers
import ApusLive
import ApusTransport
import Synchronization

/// A server on this machine, for the sample that publishes: it records one stream into a file.
final class Server: Sendable {
  private let port = Mutex<UInt16?>(nil)
  private let written = Mutex<String?>(nil)

  /// Serves one stream, and returns when its recording is finished.
  func run(to path: String, _ onListening: @escaping @Sendable (UInt16) -> Void) throws {
    let loop = try EventLoop()
    var options = IngestOptions(app: "live", to: .file(path), as: .flv)
    options.once = true
    let ingest = try Ingest(host: "127.0.0.1", port: 0, options, on: loop) { event in
      if case .written(_, let path, _) = event { self.written.withLock { $0 = path } }
    }
    ingest.onEnd = { loop.stop() }
    onListening(ingest.port)
    loop.run()
  }

  var recording: String? { written.withLock { $0 } }
}
