// SPDX-License-Identifier: MIT

internal import ApusThreads
internal import CApusSockets
internal import Glibc
internal import Synchronization

/// Waits for sockets, pipes and timers, and calls their handlers, on the one thread that runs it.
///
/// Other threads may only call `perform`, which is why the class is `Sendable`; everything else, and every link and
/// listener on the loop, belongs to the loop's thread.
@safe package final class EventLoop: @unchecked Sendable {
  private let poller: Poller
  private let clock: LoopClock
  private let alarm: Int32
  private let mail = Mutex<[@Sendable () -> Void]>([])
  private var timers = TimerHeap()
  private var watchers: [Int32: Watcher] = [:]
  /// Descriptors that are always ready, such as regular files, which epoll does not support.
  private var restless: [Int32: any Watching] = [:]
  private var later: [() -> Void] = []
  private var serial: UInt32 = 0
  private var isStopping = false

  /// The memory for bytes that are received or decrypted before control returns to the loop.
  let scratch = Scratch()

  private struct Watcher {
    let owner: any Watching
    /// Distinguishes this owner of the descriptor from the previous one, whose events may still be under way.
    let serial: UInt32
    var interest: Readiness
  }

  package convenience init() throws(TransportError) { try self.init(clock: .system) }

  /// - Parameter clock: the clock for timers; a test provides one that it sets itself.
  package init(clock: LoopClock) throws(TransportError) {
    self.clock = clock
    poller = try Poller()
    alarm = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard alarm >= 0 else { throw .system("make an eventfd") }
    let code = poller.apply(.add, alarm, .readable, token: UInt64(UInt32(bitPattern: alarm)))
    guard code == 0 else {
      close(alarm)
      throw .system("watch an eventfd", code: code)
    }
  }

  deinit { close(alarm) }

  /// Monotonic time in nanoseconds.
  package var now: Int64 { clock.now }

  /// Calls `body` once, this many nanoseconds from now or up to a millisecond later.
  @discardableResult
  package func after(_ nanoseconds: Int64, _ body: @escaping () -> Void) -> TimerID {
    let (time, isLate) = now.addingReportingOverflow(max(nanoseconds, 0))
    return timers.add(at: isLate ? .max : time, body)
  }

  @discardableResult
  package func after(_ delay: Duration, _ body: @escaping () -> Void) -> TimerID {
    after(delay.nanoseconds, body)
  }

  package func cancel(_ id: TimerID) { timers.cancel(id) }

  /// Calls `body` on the loop's thread, soon. May be called from any thread.
  package func perform(_ body: @escaping @Sendable () -> Void) {
    let isFirst = mail.withLock { mail in
      mail.append(body)
      return mail.count == 1
    }
    if isFirst { eventfd_write(alarm, 1) }
  }

  /// Calls `onReadable` while a pipe, terminal or eventfd has bytes or has ended; a file is always readable.
  package func watch(_ descriptor: Int32, _ onReadable: @escaping () -> Void) {
    unwatch(descriptor)
    let owner = ClosureWatcher(onReadable)
    if add(descriptor, owner, .readable) != 0 { restless[descriptor] = owner }
  }

  package func unwatch(_ descriptor: Int32) {
    restless[descriptor] = nil
    remove(descriptor)
  }

  /// Runs until `stop`.
  package func run() {
    while !isStopping { turn() }
    isStopping = false
  }

  /// Makes `run` return after this turn. Other threads use `perform { loop.stop() }`.
  package func stop() { isStopping = true }

  private func turn() {
    for index in 0..<poller.wait(patience()) {
      let (token, readiness) = poller[index]
      let descriptor = Int32(truncatingIfNeeded: token)
      if descriptor == alarm {
        takeMail()
      } else if let watcher = watchers[descriptor], watcher.serial == UInt32(token >> 32) {
        watcher.owner.became(readiness)
      }
    }
    for owner in restless.values { owner.became(.readable) }
    // Timers come after input: if the process was suspended for a while, waiting bytes prove that a peer is not silent.
    let (time, newest) = (now, timers.newest)
    while let body = timers.takeDue(by: time, before: newest) { body() }
    let bodies = later
    later = []
    for body in bodies { body() }
  }

  /// Returns the number of milliseconds to wait.
  private func patience() -> Int32 {
    guard !isStopping, later.isEmpty, restless.isEmpty else { return 0 }
    guard let next = timers.nextTime() else { return -1 }
    let left = next - now
    // Rounded up, so that a timer is due when the loop wakes.
    return left <= 0 ? 0 : Int32(min((left - 1) / 1_000_000 + 1, 1 << 30))
  }

  func takeMail() {
    var count: eventfd_t = 0
    unsafe eventfd_read(alarm, &count)
    let bodies = mail.withLock { mail in
      let taken = mail
      mail = []
      return taken
    }
    for body in bodies { body() }
  }
}

/// The interface for links and listeners.
extension EventLoop {
  /// Calls `body` at the end of this turn.
  func soon(_ body: @escaping () -> Void) { later.append(body) }

  /// Returns 0, or the system's error number. The owner is kept alive until `remove`.
  func add(_ descriptor: Int32, _ owner: any Watching, _ interest: Readiness) -> Int32 {
    serial &+= 1
    let token = UInt64(serial) << 32 | UInt64(UInt32(bitPattern: descriptor))
    let code = poller.apply(.add, descriptor, interest, token: token)
    if code == 0 {
      watchers[descriptor] = Watcher(owner: owner, serial: serial, interest: interest)
    }
    return code
  }

  /// Changes the interest and returns whether a system call was needed.
  @discardableResult
  func change(_ descriptor: Int32, to interest: Readiness) -> Bool {
    guard let watcher = watchers[descriptor], watcher.interest != interest else { return false }
    let token = UInt64(watcher.serial) << 32 | UInt64(UInt32(bitPattern: descriptor))
    _ = poller.apply(.change, descriptor, interest, token: token)
    watchers[descriptor]?.interest = interest
    return true
  }

  func remove(_ descriptor: Int32) {
    guard watchers.removeValue(forKey: descriptor) != nil else { return }
    _ = poller.apply(.remove, descriptor, [], token: 0)
  }
}
