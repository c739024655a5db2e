// SPDX-License-Identifier: MIT

internal import CApusSockets
internal import Glibc

/// Connects to the first of several addresses that answers (RFC 8305): each is tried when the previous one failed, or
/// took too long, in which case both attempts continue.
final class Connector {
  enum Outcome {
    /// The connected socket, which the receiver owns.
    case connected(Int32, SocketAddress)
    /// The reason why no address answered, as text.
    case failed(String)
  }

  private let loop: EventLoop
  private let pause: Int64
  private let onOutcome: (Outcome) -> Void
  private var waiting: ArraySlice<SocketAddress>
  private var attempts: [Int32: Attempt] = [:]
  private var timer: TimerID?
  private var failures: [String] = []
  private var isCancelled = false

  /// - Parameter pause: nanoseconds until the next address is tried in parallel.
  init(
    _ addresses: [SocketAddress], pause: Int64, on loop: EventLoop,
    _ onOutcome: @escaping (Outcome) -> Void
  ) {
    self.loop = loop
    self.pause = pause
    self.onOutcome = onOutcome
    waiting = Self.interleaved(addresses)[...]
  }

  func begin() { tryNext() }

  /// Gives up without reporting anything.
  func cancel() {
    isCancelled = true
    if let timer { loop.cancel(timer) }
    timer = nil
    waiting = []
    for descriptor in attempts.keys { forget(descriptor) }
  }

  /// Returns the addresses with alternating families, the resolver's preferred one first: a broken family costs only
  /// one pause.
  static func interleaved(_ addresses: [SocketAddress]) -> [SocketAddress] {
    let favourite = addresses.first?.family
    var (first, second) = (
      addresses.filter { $0.family == favourite }[...],
      addresses.filter { $0.family != favourite }[...]
    )
    var result: [SocketAddress] = []
    while !first.isEmpty || !second.isEmpty {
      if let next = first.popFirst() { result.append(next) }
      if let next = second.popFirst() { result.append(next) }
    }
    return result
  }

  private func tryNext() {
    if let timer { loop.cancel(timer) }
    timer = nil
    guard let address = waiting.popFirst() else {
      if attempts.isEmpty { fail() }
      return
    }
    let descriptor = socket(
      address.family,
      Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue),
      Int32(IPPROTO_TCP))
    guard descriptor >= 0 else { return failed(address, errno) }
    let result = unsafe address.withAddress { unsafe connect(descriptor, $0, $1) }
    let code = result == 0 ? 0 : errno
    guard code == 0 || code == EINPROGRESS else {
      close(descriptor)
      return failed(address, code)
    }
    let attempt = Attempt(descriptor, address) { [weak self] in self?.answered($0) }
    let refusal = loop.add(descriptor, attempt, .writable)
    guard refusal == 0 else {
      close(descriptor)
      return failed(address, refusal)
    }
    attempts[descriptor] = attempt
    guard !waiting.isEmpty else { return }
    timer = loop.after(pause) { [weak self] in
      self?.timer = nil
      self?.tryNext()
    }
  }

  private func answered(_ attempt: Attempt) {
    let code = pendingError(attempt.descriptor)
    guard code == 0 else {
      forget(attempt.descriptor)
      return failed(attempt.address, code)
    }
    loop.remove(attempt.descriptor)
    attempts[attempt.descriptor] = nil
    cancel()
    onOutcome(.connected(attempt.descriptor, attempt.address))
  }

  private func failed(_ address: SocketAddress, _ code: Int32) {
    failures.append("\(address.host): \(TransportError.reason(code))")
    tryNext()
  }

  private func forget(_ descriptor: Int32) {
    loop.remove(descriptor)
    attempts[descriptor] = nil
    close(descriptor)
  }

  private func fail() {
    // Not from within `begin`, because its caller may not be ready.
    loop.soon { [self] in
      if !isCancelled { onOutcome(.failed(failures.joined(separator: ", "))) }
    }
  }

  private final class Attempt: Watching {
    let descriptor: Int32
    let address: SocketAddress
    private let onAnswer: (Attempt) -> Void

    init(
      _ descriptor: Int32, _ address: SocketAddress, _ onAnswer: @escaping (Attempt) -> Void
    ) {
      self.descriptor = descriptor
      self.address = address
      self.onAnswer = onAnswer
    }

    func became(_ readiness: Readiness) { onAnswer(self) }
  }
}

/// Returns the pending error of a socket, or 0.
func pendingError(_ descriptor: Int32) -> Int32 {
  var code: Int32 = 0
  var size = socklen_t(MemoryLayout<Int32>.size)
  let result = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
  return result == 0 ? code : errno
}
