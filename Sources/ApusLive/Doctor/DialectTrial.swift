// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusTransport
internal import FLV
internal import RTMP

/// Publishes two seconds in one dialect, and plays them at the same time.
///
/// Used only on its loop's thread, and kept alive by the code that waits for its end.
final class DialectTrial {
  /// The facts that the server revealed, as far as the trial came.
  private(set) var profile: ServerProfile?

  private let dialect: HEVCDialect
  private let address: Address
  private let options: ClientOptions
  private let loop: EventLoop
  private let speed: Int64
  private let stream: ProbeStream
  private let onEnd: (TrialReport) -> Void

  private var publisher: ClientLink?
  private var player: ClientLink?
  private var timer: TimerID?
  private var beginning: Int64 = 0
  private var next = 0
  private var sent = (pictures: 0, sounds: 0)
  private var arrivals = Arrivals()
  private var attempts = 0
  private var playError: SessionError?
  private var hasPlayed = false
  private var isEnding = false
  private var isOver = false

  private static let tick: Int64 = 20_000_000
  /// The longest time that a picture may take to come back, in nanoseconds.
  private static let patience: Int64 = 1_000_000_000
  /// The pause between two attempts to play, in nanoseconds, for servers that announce a stream late.
  private static let pause: Int64 = 300_000_000
  private static let maxAttempts = 4

  init(
    _ dialect: HEVCDialect, at address: Address, _ options: ClientOptions, speed: Int64,
    on loop: EventLoop, _ onEnd: @escaping (TrialReport) -> Void
  ) throws {
    self.dialect = dialect
    self.address = address
    self.options = options
    self.loop = loop
    self.speed = speed
    self.onEnd = onEnd
    stream = try ProbeStream(dialect)
  }

  func start() {
    var configuration = ClientConfiguration(address, for: .publish)
    configuration.reconnects = .no
    let link = ClientLink(configuration, options, on: loop) { [weak self] in
      self?.publisherTold($1, by: $0)
    }
    publisher = link
    link.open()
  }

  /// Ends the trial early.
  func stop(because reason: String) { conclude(.failed, reason) }

  // MARK: - The publisher

  private func publisherTold(_ event: ClientLinkEvent, by link: ClientLink) {
    switch event {
    case .state(.running):
      profile = ServerProfile(link.session, peer: link.peer ?? address.authority)
      beginning = loop.now
      send(stream.opening)
      play()
      publish()
    case .state(.createStream), .state(.request):
      profile = ServerProfile(link.session, peer: link.peer ?? address.authority)
    case .ended(let error): publisherEnded(error)
    default: break
    }
  }

  private func publisherEnded(_ error: SessionError?) {
    publisher = nil
    if isEnding { return endIfDone() }
    guard let error else { return conclude(.closed, "the server closed the connection") }
    if next > 0 { return conclude(.closed, error.detail) }
    let isRefusal = [.refused, .unauthorized].contains(error.kind)
    let isAfterConnect = profile != nil && error.kind == .closed
    conclude(isRefusal || isAfterConnect ? .refused : .failed, error.detail)
  }

  /// Sends the tags that are due, until everything has been sent and has had the time to come back.
  private func publish() {
    guard !isOver, !isEnding else { return }
    let time = (loop.now - beginning) / 1_000_000 * speed
    var due: [OutgoingTag] = []
    while next < stream.frames.count, stream.frames[next].time <= time {
      let tag = stream.frames[next]
      if tag.type == .video { sent.pictures += 1 } else { sent.sounds += 1 }
      due.append(tag)
      next += 1
    }
    if next == stream.frames.count, !due.isEmpty { due += stream.ending }
    send(due)
    guard next < stream.frames.count else {
      timer = loop.after(Self.patience / speed) { [weak self] in self?.end() }
      return
    }
    timer = loop.after(Self.tick / speed) { [weak self] in self?.publish() }
  }

  private func send(_ tags: [OutgoingTag]) {
    guard !tags.isEmpty, let publisher else { return }
    do throws(SessionError) {
      try publisher.send(tags)
    } catch {
      publisher.abort()
      publisherEnded(error)
    }
  }

  // MARK: - The player

  private func play() {
    guard !isOver, !isEnding, publisher != nil else { return }
    attempts += 1
    var configuration = ClientConfiguration(address, for: .play)
    configuration.reconnects = .no
    configuration.handshake = .digest
    let link = ClientLink(configuration, options, on: loop) { [weak self] in
      self?.playerTold($1, by: $0)
    }
    player = link
    link.open()
  }

  private func playerTold(_ event: ClientLinkEvent, by link: ClientLink) {
    switch event {
    case .state(.connect): profile?.note(signedHandshakeOf: link.session)
    case .state(.running): hasPlayed = true
    case .tag(let tag):
      // A tag that cannot be read is not one that was sent.
      do { try arrivals.add(tag, lookingFor: stream.picture) } catch {}
    case .ended(let error):
      player = nil
      if isEnding { return endIfDone() }
      playError = error
      guard arrivals.isEmpty, attempts < Self.maxAttempts else { return }
      loop.after(Self.pause / speed) { [weak self] in self?.play() }
    default: break
    }
  }

  // MARK: - The end

  private func end() {
    isEnding = true
    player?.end()
    publisher?.end()
    // Servers may take their time to close, which does not affect the result.
    timer = loop.after(Self.patience / speed) { [weak self] in self?.endIfDone(isLate: true) }
    endIfDone()
  }

  private func endIfDone(isLate: Bool = false) {
    guard isLate || publisher == nil && player == nil else { return }
    if arrivals.pictures > 0 {
      let isSame = arrivals.samePictures == arrivals.pictures
      conclude(isSame ? .arrived : .changed, nil)
    } else if arrivals.sounds > 0 {
      conclude(.dropped, nil)
    } else {
      let reason = hasPlayed ? "the server sends nothing to players" : playError?.detail
      conclude(.unseen, reason ?? "the stream could not be played in time")
    }
  }

  private func conclude(_ verdict: TrialReport.Verdict, _ reason: String?) {
    guard !isOver else { return }
    isOver = true
    if let timer { loop.cancel(timer) }
    publisher?.abort()
    player?.abort()
    onEnd(
      TrialReport(
        dialect: dialect, verdict: verdict, pictures: sent.pictures, sounds: sent.sounds,
        arrivals: arrivals, reason: reason))
  }
}
