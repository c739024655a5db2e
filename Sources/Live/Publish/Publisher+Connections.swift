// SPDX-License-Identifier: MIT

internal import Containers
internal import FLV
internal import Flow
internal import Media
internal import RTMP

/// The effects of events of a connection on the stream.
extension Publisher {
  mutating func react(to input: LinkInput, of id: Int, at now: Int64) -> [PublishAction] {
    guard phase != .finished, id == link?.id || id == next?.id else { return [] }
    let isNext = id != link?.id
    switch input {
    case .running(let facts): run(facts, isNext: isNext, at: now)
    case .status(let status): actions.append(.report(.status(status)))
    case .moveTo(let address, let isNow):
      if phase == .streaming { move(to: address, isNow: isNow, isNext: isNext, at: now) }
    case .ended(let reason, let isFinal):
      if case .closing = phase {
        finish()
      } else if isNext {
        next = nil
        actions.append(
          .report(
            .warning("the stream stays at this server: \(reason ?? "the other server ended it")")))
      } else {
        lose(reason ?? "the server ended the session", isFinal: isFinal, at: now)
      }
    }
    return taken()
  }

  private mutating func run(_ facts: ServerFacts, isNext: Bool, at now: Int64) {
    guard var started = isNext ? next : link, !started.isRunning, phase == .streaming else {
      return
    }
    started.facts = facts
    (started.startedAt, started.progressAt) = (now, now)
    do throws(MediaError) {
      if hasHEVC {
        let (dialect, warning) = try options.dialect.dialect(facts)
        started.dialect = dialect
        if let warning { actions.append(.report(.warning(warning))) }
      }
      started.places = places(facts, started.dialect)
    } catch {
      guard !isNext else {
        actions.append(.abort(started.id))
        actions.append(.report(.warning("the stream stays at this server: \(error)")))
        next = nil
        return
      }
      outcome = error
      link = started
      return close(at: now)
    }
    if isNext {
      next = started
    } else {
      link = started
      begin()
    }
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

  /// Begins sending on the first connection, or on one that replaces a lost one.
  private mutating func begin() {
    hasRun = true
    guard hasSent, videoTrack != nil else { return }
    report(queue.beginAtRandomAccess())
  }

  private mutating func move(to address: Address, isNow: Bool, isNext: Bool, at now: Int64) {
    let hops = (isNext ? next?.hops : link?.hops) ?? 0
    actions.append(.report(.moving(address)))
    if isNow, !isNext {
      if let link { actions.append(.abort(link.id)) }
      link = open(address, hops: hops + 1, at: now)
    } else {
      if let next { actions.append(.abort(next.id)) }
      next = open(address, hops: hops + 1, at: now)
    }
  }

  /// Returns the number of retries, as `--retry` counts them.
  private static func retries(_ backoff: Backoff) -> String {
    backoff.failures == 2 ? "1 retry" : "\(backoff.failures - 1) retries"
  }

  /// - Parameter isFinal: whether another attempt would have the same result.
  mutating func lose(_ reason: String, isFinal: Bool, at now: Int64) {
    guard let lost = link else { return }
    link = nil
    if lost.isRunning {
      statistics.losses += 1
      if now - lost.startedAt >= Self.stable { backoff.reset() }
    }
    if let next {
      link = next
      self.next = nil
      if next.isRunning { begin() }
      return actions.append(.report(.lost(reason, retryAfter: 0)))
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
    actions.append(.report(.lost(reason, retryAfter: wait)))
    retryAt = now + wait
  }
}
