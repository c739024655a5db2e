// SPDX-License-Identifier: MIT

public import ApusTransport

/// A server that records streams received over RTMP in files, and relays them to players, on its own thread.
///
/// It runs until `stop`, until the only stream has ended (`IngestOptions.once`), or until the task that reads the events
/// is canceled. Recordings are finished in each case.
public final class IngestServer: Sendable {
  /// The events, for one reader; they end when every recording is finished. The newest thousand are kept until they are
  /// read.
  public let events: AsyncStream<IngestEvent>
  /// The port on which it listens, also if the system chose it.
  public let port: UInt16
  private let thread: LoopThread
  private let ingest: Ingest

  /// Listens for clients.
  ///
  /// - Parameter port: the port; 0 for any that is free.
  public init(host: String, port: UInt16, _ options: IngestOptions) throws(TransportError) {
    let thread = try LoopThread()
    let (events, continuation) = AsyncStream.makeStream(
      of: IngestEvent.self, bufferingPolicy: .bufferingNewest(1000))
    let ingest = try Ingest(host: host, port: port, options, on: thread.loop) {
      continuation.yield($0)
    }
    ingest.onEnd = { [loop = thread.loop] in loop.stop() }
    (self.thread, self.ingest, self.events) = (thread, ingest, events)
    self.port = ingest.port
    continuation.onTermination = { [thread, weak ingest] _ in
      thread.perform { [weak ingest] in ingest?.stop() }
    }
    try thread.start { continuation.finish() }
  }

  /// Accepts no new clients, ends live streams, and finishes the recordings; then the events end.
  public func stop() {
    thread.perform { [ingest] in ingest.stop() }
  }

  /// The states of the live streams, by name.
  public var states: [IngestState] {
    get async { await thread.value { [ingest] in ingest.states } }
  }
}
