// SPDX-License-Identifier: MIT

import ApusContainers
import ApusLive
import ApusMedia
import ApusSamples
import ApusTransport
import RTMP
import TestSupport
import Testing

/// Servers and publications that tasks use.
@Suite(.timeLimit(.minutes(5))) struct AsyncTests {
  private static func publication(
    of name: String, to server: IngestServer, _ pace: Pacer.Mode
  ) throws -> Publication {
    let address = try Address("rtmp://127.0.0.1:\(server.port)/live/key")
    var target = BroadcastTarget(id: 1, [address])
    // The task that answers may wait long for a thread while all tests run.
    target.link.deadlines.request = .seconds(200)
    return try Publication(
      of: MediaInput.open(Fixture.source(name)).source, to: [target], pace)
  }

  @Test func `it publishes to a server, and both end`() async throws {
    let folder = try TestFolder()
    let path = "\(folder.path)/received.flv"
    var options = IngestOptions(app: "live", to: .file(path), as: .flv)
    options.once = true
    options.authorize = { $0.name == "key" ? .allowed : .denied("wrong key") }
    let server = try IngestServer(host: "127.0.0.1", port: 0, options)
    let publication = try Self.publication(of: "hvc1.mp4", to: server, .unpaced)
    var ends: [MediaError?] = []
    for try await event in publication.events {
      if case .ended(_, let error) = event { ends.append(error) }
    }
    #expect(ends == [nil])
    var written: [String] = []
    for await event in server.events {
      if case .written(_, let path, _) = event { written.append(path) }
    }
    #expect(written == [path])
    #expect(await server.states.isEmpty)
    server.stop()
  }

  @Test func `it throws the error of its only target`() async throws {
    let folder = try TestFolder()
    var options = IngestOptions(app: "live", to: .folder(folder.path), as: .flv)
    options.authorize = { _ in .denied("nobody may") }
    let server = try IngestServer(host: "127.0.0.1", port: 0, options)
    let publication = try Self.publication(of: "hvc1.mp4", to: server, .paced(speed: 1))
    await #expect(throws: MediaError.self) {
      for try await _ in publication.events {}
    }
    server.stop()
    for await _ in server.events {}
  }

  @Test func `it stops when the tasks that read the events are canceled`() async throws {
    let folder = try TestFolder()
    let path = "\(folder.path)/received.flv"
    let server = try IngestServer(
      host: "127.0.0.1", port: 0, IngestOptions(app: "live", to: .file(path), as: .flv))
    // At this speed it would take hours.
    let publication = try Self.publication(of: "hvc1.mp4", to: server, .paced(speed: 0.0001))
    let publishing = Task { for try await _ in publication.events {} }
    let serving = Task {
      for await event in server.events {
        if case .publishing = event { publishing.cancel() }
        if case .ended = event { return }
      }
    }
    _ = try await publishing.value
    await serving.value
    // The server has seen the end, which the target learns of on its own thread. Nothing else refers to the events of the
    // server until then.
    while await !publication.states.isEmpty { await Task.yield() }
    server.stop()
  }
}
