// SPDX-License-Identifier: MIT

internal import ApusContainers
internal import ApusMedia
internal import ApusSamples
internal import FLV
internal import RTMP

/// The effects of events of a connection on the stream.
extension Publisher {
  mutating func react(to input: LinkInput, of id: Int, at now: Int64) -> [PublishAction] {
    guard connections.contains(id) else { return [] }
    switch input {
    case .running(let facts): accept(id, facts, at: now)
    case .status(let status): actions.append(.report(.status(status)))
    case .moveTo(let address, let isNow): move(id, to: address, isNow: isNow)
    case .ended(let reason, let isFinal):
      switch state {
      case .closing: finish()
      case .moving(let link, let next) where next.attempt.id == id:
        stay(at: link, reason ?? "the other server ended it")
      default: lose(reason ?? "the server ended the session", isFinal: isFinal, at: now)
      }
    }
    return taken()
  }

  /// Uses a connection on which the server accepts the stream, or lets it take over.
  private mutating func accept(_ id: Int, _ facts: ServerFacts, at now: Int64) {
    switch state {
    case .connecting(let attempt):
      do throws(MediaError) {
        state = .streaming(try link(attempt, facts, at: now))
        begin()
      } catch {
        outcome = error
        actions.append(.end(id))
        state = .closing(id: id, until: now + Self.closingTime)
      }
    case .moving(let current, .attempt(let attempt)) where attempt.id == id:
      do throws(MediaError) {
        state = .moving(current, to: .link(try link(attempt, facts, at: now)))
      } catch {
        actions.append(.abort(id))
        stay(at: current, "\(error)")
      }
    case .waiting, .streaming, .moving, .closing, .finished: break
    }
  }

  private mutating func link(_ attempt: Attempt, _ facts: ServerFacts, at now: Int64)
    throws(MediaError) -> Link
  {
    var dialect: HEVCDialect?
    if hasHEVC {
      let (chosen, warning) = try options.dialect.dialect(facts)
      dialect = chosen
      if let warning { actions.append(.report(.warning(warning))) }
    }
    return Link(
      attempt: attempt, facts: facts, dialect: dialect, places: places(facts, dialect),
      startedAt: now, progressAt: now)
  }

  /// Gives up the successor of a connection.
  private mutating func stay(at link: Link, _ reason: String) {
    state = .streaming(link)
    actions.append(.report(.warning("the stream stays at this server: \(reason)")))
  }

  /// Begins sending on the first connection, or on one that replaces a lost one.
  private mutating func begin() {
    hasRun = true
    guard hasSent, videoTrack != nil else { return }
    report(queue.beginAtRandomAccess())
  }

  private mutating func move(_ id: Int, to address: Address, isNow: Bool) {
    let (hops, kept): (Int, Link?)
    switch state {
    case .connecting(let attempt): (hops, kept) = (attempt.hops, nil)
    case .moving(let link, let next) where next.attempt.id == id:
      (hops, kept) = (next.attempt.hops, link)
    case .streaming(let link), .moving(let link, _):
      (hops, kept) = (link.attempt.hops, isNow ? nil : link)
    case .waiting, .closing, .finished: return
    }
    actions.append(.report(.moving(address)))
    for other in connections where other != kept?.id { actions.append(.abort(other)) }
    let attempt = open(address, hops: hops + 1)
    state = kept.map { .moving($0, to: .attempt(attempt)) } ?? .connecting(attempt)
  }

  private var hasHEVC: Bool {
    tracks.contains { if case .hevc = $0.format { $0.kind == .video } else { false } }
  }

  /// Returns the places of tracks on a connection to a server; those that it does not accept are reported.
  private mutating func places(_ facts: ServerFacts, _ dialect: HEVCDialect?) -> [FLVPlace?] {
    let isAnnounced = facts.capabilities?.extras.contains(.multitrack) == true
    let form = dialect ?? .enhanced
    let all = FLVPlacement(tracks, .enhanced).places
    let places = FLVPlacement(
      tracks, form, isMultitrack: isAnnounced || options.forcesMultitrack
    ).places
    let left = all.indices.filter { all[$0] != nil && places[$0] == nil && !reported.contains($0) }
    reported.formUnion(left)
    let names = tracks.names
    let reason =
      form == .legacy
      ? "the legacy dialect has one track of each kind"
      : "the server does not announce support for several tracks of a kind (multitrack)"
    for index in left {
      actions.append(.report(.warning("\(names[index]) is left out: \(reason)")))
    }
    return places
  }

  /// Reports the tracks that no server could accept.
  mutating func reportUnplaced() {
    let names = tracks.names
    for (index, place) in FLVPlace.places(of: tracks, .enhanced).enumerated() {
      guard case .failure(let refusal) = place else { continue }
      actions.append(.report(.warning("\(names[index]) \(refusal.detail) and is left out")))
    }
  }

  /// Returns the number of retries, as `--retry` counts them.
  private static func retries(_ backoff: Backoff) -> String {
    backoff.failures == 2 ? "1 retry" : "\(backoff.failures - 1) retries"
  }

  /// - Parameter isFinal: whether another attempt would have the same result.
  mutating func lose(_ reason: String, isFinal: Bool, at now: Int64) {
    if let link = use?.link {
      statistics.losses += 1
      if now - link.startedAt >= Self.stable { backoff.reset() }
    }
    if let next = use?.next {
      switch next {
      case .attempt(let attempt): state = .connecting(attempt)
      case .link(let link):
        state = .streaming(link)
        begin()
      }
      return actions.append(.report(.lost(reason, retryAfter: .zero)))
    }
    let wait = backoff.fail()
    let isOver =
      hasRun || options.waitsForServer
      ? backoff.failures > options.retries
      : backoff.failures >= addresses.count || options.retries == 0
    if isFinal || isOver {
      outcome =
        outcome
        ?? MediaError(
          .io,
          backoff.failures > 1 ? "\(reason); gave up after \(Self.retries(backoff))" : reason)
      return finish()
    }
    actions.append(.report(.lost(reason, retryAfter: .nanoseconds(wait))))
    state = .waiting(until: now + wait)
  }
}
