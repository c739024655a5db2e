// SPDX-License-Identifier: MIT

internal import ApusTransport
internal import RTMP

/// The decisions on who may publish and play.
extension Ingest {
  /// Handles a new connection.
  func connected(_ link: ServerLink) {
    let address = Self.address(of: link)
    let most = options.admission.perAddress
    guard links.values.count(where: { Self.address(of: $0) == address }) < most else {
      onEvent(
        .refused(
          client: link.id, reason: "there are \(most) connections from \(address) already"))
      return link.abort()
    }
    links[link.id] = link
    onEvent(.connected(client: link.id, peer: link.peer))
  }

  func answer(_ request: ServerRequest, _ link: ServerLink) {
    guard options.allows(request) else {
      return deny(request, link, "there is no such app")
    }
    guard let name = options.name(of: request) else {
      return deny(request, link, "there is no such app and key")
    }
    guard let authorize = options.authorize else { return grant(name, request, link) }
    let crossing = Crossing(ingest: self, link: link, request: request, name: name)
    let question = Self.question(name, request, link)
    Task { crossing.decide(await authorize(question)) }
  }

  /// Returns a request as passed to the hooks that decide.
  private static func question(_ name: String, _ request: ServerRequest, _ link: ServerLink)
    -> IngestRequest
  {
    let key = request.key.unmasked
    return IngestRequest(
      purpose: request.purpose == .publish ? .publish : .play, name: name,
      app: String(request.app.prefix { $0 != "?" }), key: String(key.prefix { $0 != "?" }),
      query: String((key.contains("?") ? key : request.app).drop { $0 != "?" }.dropFirst()),
      address: address(of: link), client: link.id, software: request.flashVersion)
  }

  /// A request that waits for the decision of a task; only `perform` is called there.
  private struct Crossing: @unchecked Sendable {
    let ingest: Ingest
    let link: ServerLink
    let request: ServerRequest
    let name: String

    func decide(_ verdict: IngestVerdict) {
      ingest.loop.perform {
        // A client that did not wait has disconnected.
        guard ingest.links[link.id] === link else { return }
        switch verdict {
        case .allowed: ingest.grant(name, request, link)
        case .renamed(let name):
          ingest.grant(IngestOptions.plain(name), request, link)
        case .denied(let reason): ingest.deny(request, link, reason)
        }
      }
    }
  }

  private func grant(_ name: String, _ request: ServerRequest, _ link: ServerLink) {
    switch request.purpose {
    case .publish: publish(name, request, link)
    case .play: play(name, link)
    }
    guard options.onDone != nil, names[link.id] == name else { return }
    granted[link.id] = Self.question(name, request, link)
  }

  /// Reports, once, that a client no longer publishes or plays.
  func tellDone(_ client: Int) {
    guard let onDone = options.onDone, var request = granted.removeValue(forKey: client) else {
      return
    }
    request.purpose = request.purpose == .publish ? .publishDone : .playDone
    telling += 1
    Task { [self, request, loop] in
      let problem = await onDone(request)
      loop.perform { [self] in
        telling -= 1
        if let problem {
          onEvent(.warning(client: client, "its end could not be reported: \(problem)"))
        }
        endIfDone()
      }
    }
  }

  private func deny(_ request: ServerRequest, _ link: ServerLink, _ reason: String) {
    let code =
      request.purpose == .publish ? "NetStream.Publish.Denied" : "NetStream.Play.StreamNotFound"
    onEvent(.refused(client: link.id, reason: reason))
    link.refuse(Status(level: "error", code: code, text: "it is not allowed"))
  }

  /// Returns the address of a client, without its port.
  private static func address(of link: ServerLink) -> String {
    let end = link.peer.lastIndex(of: ":") ?? link.peer.endIndex
    return String(link.peer[..<end])
  }

  /// Ends a stream that has reached the longest duration allowed.
  func limitTime(of name: String, _ stream: IngestStream) {
    guard let most = options.admission.longest else { return }
    loop.after(most) { [weak self, weak stream] in
      guard let self, let stream, streams[name] === stream else { return }
      onEvent(
        .warning(client: stream.publisher, "ended the stream, which reached the maximum duration"))
      links[stream.publisher]?.end()
    }
  }
}
