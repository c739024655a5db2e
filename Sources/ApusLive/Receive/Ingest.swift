// SPDX-License-Identifier: MIT

internal import ApusFiles
internal import ApusMedia
internal import ApusPresentations
package import ApusTransport
internal import Glibc
internal import RTMP

/// A server that records streams received over RTMP in files, and relays them to players.
///
/// Used only on its loop's thread. It is `Sendable` because other threads reach it through `EventLoop.perform`. Files are
/// written on that thread too: if disk and network cannot keep up, TCP slows the publisher down.
package final class Ingest: @unchecked Sendable {
  /// Called once, after `stop` or the only stream, when every recording is finished.
  package var onEnd: () -> Void = {}

  let options: IngestOptions
  let loop: EventLoop
  let onEvent: (IngestEvent) -> Void
  private var listener: Listener?
  var links: [Int: ServerLink] = [:]
  /// Live streams by name.
  private(set) var streams: [String: IngestStream] = [:]
  /// The name of the stream that a link publishes or plays.
  private(set) var names: [Int: String] = [:]
  /// Files that streams of this run have been written to: none replaces another.
  var paths: Set<String> = []
  /// The number of the last file of each stream.
  var numbers: [String: Int] = [:]
  var finished: [String: FinishedParts] = [:]
  var finishing = 0
  /// The number of streams that have ended, and their bytes.
  private var past = (streams: 0, bytes: 0)
  /// The requests of clients that are publishing or playing, if a hook is called when they are done.
  var granted: [Int: IngestRequest] = [:]
  /// The number of such calls under way.
  var telling = 0
  /// The number of streams of each name so far.
  private var counts: [String: Int] = [:]
  /// The forwardings of streams, including those that have ended here but not yet there.
  var forwards: [ObjectIdentifier: Forward] = [:]
  /// The presentation of each stream for players over HTTP, including streams that may be resumed.
  var presentations: [String: LivePresentation] = [:]
  /// Whether it accepts no more streams.
  package private(set) var isStopping = false
  /// Whether players wait for the next process to continue.
  private(set) var isLeaving = false
  private var hasEnded = false

  /// The interval for flushing files, in nanoseconds.
  private static let flushInterval: Int64 = 500_000_000

  package init(
    host: String, port: UInt16, _ options: IngestOptions, on loop: EventLoop,
    _ onEvent: @escaping (IngestEvent) -> Void
  ) throws(TransportError) {
    self.options = options
    self.loop = loop
    self.onEvent = onEvent
    let listener = try Listener(
      host: host, port: port, ServerConfiguration(access: options.access), options.listener,
      on: loop
    ) { [weak self] in self?.react(to: $1, of: $0) }
    self.listener = listener
    onEvent(.listening(host: host, port: listener.port))
    flush()
    endLeftPresentations()
  }

  package var port: UInt16 { listener?.port ?? 0 }
  /// The number of live streams.
  package var count: Int { streams.count }
  package var statistics: [IngestStatistics] { streams.values.map(\.statistics) }
  /// The states of the live streams, by name.
  package var states: [IngestState] {
    let now = loop.now
    return streams.sorted { $0.key < $1.key }.map { _, stream in
      stream.state(roundTrip: links[stream.publisher]?.roundTrip, at: now)
    }
  }
  /// The number of connected clients.
  package var connections: Int { links.count }
  /// The number of streams since the server began, and their bytes, including streams that have ended.
  package var totals: (streams: Int, bytes: Int) {
    (past.streams + streams.count, streams.values.reduce(past.bytes) { $0 + $1.statistics.bytes })
  }

  /// Accepts no new clients, ends live streams, and finishes the recordings.
  ///
  /// - Parameter mayReturn: whether the server may be started again at once.
  package func stop(mayReturn: Bool = false) {
    guard !isStopping else { return }
    isStopping = true
    isLeaving = mayReturn && options.leavesPresentations
    listener?.close()
    for (name, stream) in streams { end(name, stream, error: nil) }
    for forward in forwards.values { forward.end(isHurried: true) }
    closePresentations()
    for link in links.values { link.end() }
    endIfDone()
  }

  private func react(to event: ServerLinkEvent, of link: ServerLink) {
    switch event {
    case .opened:
      connected(link)
    case .request(let request): answer(request, link)
    case .tag(let tag): receive(tag, from: link)
    case .streamEnded: streamEnded(link, error: nil)
    case .ended(let error):
      links[link.id] = nil
      tellDone(link.id)
      if names[link.id] != nil {
        streamEnded(link, error: error)
      } else if let error {
        onEvent(.refused(client: link.id, reason: error.detail))
      }
      endIfDone()
    case .state, .pong, .drained: break
    }
  }

  // MARK: Requests

  func publish(_ name: String, _ request: ServerRequest, _ link: ServerLink) {
    if options.admission.takesOver, let old = streams[name], !isStopping {
      takeOver(name, from: old, by: link)
    }
    guard streams[name] == nil, !isStopping else {
      let words = isStopping ? "the server is shutting down" : "the stream is already live"
      return link.refuse(
        Status(level: "error", code: "NetStream.Publish.BadName", text: words))
    }
    do {
      guard let file = try file(of: name) else {
        let words = "its file already exists, and is neither replaced nor renamed"
        onEvent(.warning(client: link.id, words))
        return refuse(link)
      }
      let stream = IngestStream(
        try Recording(file, as: options.target), facts(name, request, link), began: loop.now)
      streams[name] = stream
      names[link.id] = name
      stream.forward = forward(name, of: link)
      stream.presentation = present(name)
      limitTime(of: name, stream)
      onEvent(
        .publishing(
          client: link.id, name: name, path: file.path, software: request.flashVersion))
      link.accept()
    } catch {
      onEvent(.failed(client: link.id, name: name, reason: "\(error)"))
      refuse(link)
    }
  }

  /// Ends a stream because a newer publisher replaces its own.
  private func takeOver(_ name: String, from old: IngestStream, by link: ServerLink) {
    onEvent(.warning(client: old.publisher, "client \(link.id) takes over \(name)"))
    let publisher = links.removeValue(forKey: old.publisher)
    end(name, old, error: "another publisher took over")
    publisher?.abort()
  }

  /// Returns the facts about a stream that are known when it begins.
  private func facts(_ name: String, _ request: ServerRequest, _ link: ServerLink) -> IngestState {
    var facts = IngestState()
    (facts.name, facts.client, facts.peer) = (name, link.id, link.peer)
    facts.software = request.flashVersion
    facts.began = Int64(Glibc.time(nil))
    facts.returns = counts[name, default: 0]
    counts[name, default: 0] += 1
    return facts
  }

  /// Refuses a publisher for which there is no file.
  private func refuse(_ link: ServerLink) {
    link.refuse(
      Status(level: "error", code: "NetStream.Publish.Failed", text: "it cannot be recorded"))
  }

  func play(_ name: String, _ link: ServerLink) {
    guard let stream = streams[name] else {
      return link.refuse(
        Status(level: "error", code: "NetStream.Play.StreamNotFound", text: "it is not live"))
    }
    guard stream.players.count < options.admission.perStream else {
      onEvent(.refused(client: link.id, reason: "\(name) has the maximum number of players"))
      return link.refuse(
        Status(level: "error", code: "NetStream.Play.Failed", text: "there are too many players"))
    }
    names[link.id] = name
    stream.players.add(link)
    onEvent(.playing(client: link.id, name: name))
    link.accept()
  }

  // MARK: Streams

  private func receive(_ tag: ReceivedTag, from link: ServerLink) {
    guard let name = names[link.id], let stream = streams[name], stream.publisher == link.id else {
      return
    }
    let repaired: ReceivedTag
    do {
      repaired = try stream.look(at: tag)
    } catch {
      return stopRecording(name, stream, because: error)
    }
    for words in stream.newFaults() { onEvent(.warning(client: link.id, words)) }
    record(repaired, of: name, stream)
    guard streams[name] === stream else { return }
    for player in stream.forward(tag, repaired.time, at: loop.now) { drop(player) }
    pass(repaired, of: name, stream)
    show(repaired, of: name, stream)
    if let words = stream.newFormat() { onEvent(.format(client: link.id, words)) }
  }

  /// Disconnects a player that is too slow.
  private func drop(_ player: ServerLink) {
    player.abort()
    tellDone(player.id)
    links[player.id] = nil
    names[player.id] = nil
    onEvent(.warning(client: player.id, "disconnected a player that was too slow"))
  }

  private func streamEnded(_ link: ServerLink, error: SessionError?) {
    tellDone(link.id)
    guard let name = names.removeValue(forKey: link.id), let stream = streams[name] else { return }
    if stream.publisher == link.id {
      end(name, stream, error: error?.detail)
    } else {
      stream.players.remove(link)
    }
  }

  func end(_ name: String, _ stream: IngestStream, error: String?) {
    streams[name] = nil
    names[stream.publisher] = nil
    tellDone(stream.publisher)
    past = (past.streams + 1, past.bytes + stream.statistics.bytes)
    stream.players.end()
    endPresentation(name, stream)
    if let forward = stream.forward { forward.end(isHurried: isStopping) }
    var reason = error
    var recording = stream.recording.take()
    do {
      try recording?.end()
      try recording?.flush()
    } catch {
      if reason == nil {
        onEvent(.failed(client: stream.publisher, name: name, reason: MediaError(error).message))
      }
      reason = reason ?? MediaError(error).message
    }
    for words in stream.repeatedFaults + (recording?.warnings ?? []) {
      onEvent(.warning(client: stream.publisher, words))
    }
    onEvent(
      .ended(
        client: stream.publisher, name: name, statistics: stream.statistics, error: reason))
    if let recording { finish(name, recording) }
    if options.once, !isStopping { stop() }
  }

  func endIfDone() {
    guard isStopping, finishing + telling == 0, links.isEmpty, forwards.isEmpty, !hasEnded else {
      return
    }
    hasEnded = true
    onEnd()
  }

  private func flush() {
    loop.after(Self.flushInterval) { [weak self] in
      guard let self, !hasEnded else { return }
      for (name, stream) in streams {
        do {
          try stream.flush()
        } catch {
          stopRecording(name, stream, because: error)
        }
      }
      for name in finished.keys { prune(name) }
      flush()
    }
  }
}
