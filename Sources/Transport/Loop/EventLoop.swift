// SPDX-License-Identifier: MIT

internal import CSockets
internal import Glibc
internal import Synchronization

/// Waits for sockets, pipes and timers, and calls what waits for them, on the one thread that runs it.
///
/// `perform` alone may be called by other threads, which is why the class may be shared; everything else, and
/// every link and listener on the loop, belongs to the loop's thread.
@safe public final class EventLoop: @unchecked Sendable {
  private let poller: Poller
  private let clock: LoopClock
  private let alarm: Int32
  private let mail = Mutex<[@Sendable () -> Void]>([])
  private var timers = TimerHeap()
  private var watchers: [Int32: Watcher] = [:]
  /// Descriptors that are always ready, as regular files are, for which epoll has no use.
  private var restless: [Int32: any Watching] = [:]
  private var later: [() -> Void] = []
  private var serial: UInt32 = 0
  private var isStopping = false

  /// The memory for bytes that are read or opened before control returns to the loop.
  let scratch = Scratch()

  private struct Watcher {
    let owner: any Watching
    /// Tells this owner of the descriptor from the one before, whose events may still be under way.
    let serial: UInt32
    var interest: Readiness
  }

  public convenience init() throws(TransportError) { try self.init(clock: .system) }

  /// - Parameter clock: measures the time of timers; a test gives one that it sets itself.
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

  /// Nanoseconds of a clock that only rises.
  public var now: Int64 { clock.now }

  /// Calls `body` once, so many nanoseconds from now or up to a millisecond later.
  @discardableResult
  public func after(_ nanoseconds: Int64, _ body: @escaping () -> Void) -> TimerID {
    let (time, isLate) = now.addingReportingOverflow(max(nanoseconds, 0))
    return timers.add(at: isLate ? .max : time, body)
  }

  public func cancel(_ id: TimerID) { timers.cancel(id) }

  /// Calls `body` on the loop's thread, soon. From any thread.
  public func perform(_ body: @escaping @Sendable () -> Void) {
    let isFirst = mail.withLock { mail in
      mail.append(body)
      return mail.count == 1
    }
    if isFirst { eventfd_write(alarm, 1) }
  }

  /// Calls `onReadable` while a pipe, terminal or eventfd has bytes or has ended; a file is always readable.
  public func watch(_ descriptor: Int32, _ onReadable: @escaping () -> Void) {
    unwatch(descriptor)
    let owner = ClosureWatcher(onReadable)
    if add(descriptor, owner, .readable) != 0 { restless[descriptor] = owner }
  }

  public func unwatch(_ descriptor: Int32) {
    restless[descriptor] = nil
    remove(descriptor)
  }

  /// Works until `stop`.
  public func run() {
    while !isStopping { turn() }
    isStopping = false
  }

  /// Lets `run` return after this turn. Other threads say `perform { loop.stop() }`.
  public func stop() { isStopping = true }

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
    // After what has come: where the process stood still for a while, bytes that wait prove that a peer is not silent.
    let (time, newest) = (now, timers.newest)
    while let body = timers.takeDue(by: time, before: newest) { body() }
    let bodies = later
    later = []
    for body in bodies { body() }
  }

  /// How many milliseconds there are to wait.
  private func patience() -> Int32 {
    guard !isStopping, later.isEmpty, restless.isEmpty else { return 0 }
    guard let next = timers.nextTime() else { return -1 }
    let left = next - now
    // Rounded up, so that a timer is due when it is looked for.
    return left <= 0 ? 0 : Int32(min((left - 1) / 1_000_000 + 1, 1 << 30))
  }

  private func takeMail() {
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

/// What links and listeners ask of their loop.
extension EventLoop {
  /// Calls `body` at the end of this turn.
  func soon(_ body: @escaping () -> Void) { later.append(body) }

  /// Returns 0, or the system's error number. The owner is kept until `remove`.
  func add(_ descriptor: Int32, _ owner: any Watching, _ interest: Readiness) -> Int32 {
    serial &+= 1
    let token = UInt64(serial) << 32 | UInt64(UInt32(bitPattern: descriptor))
    let code = poller.apply(.add, descriptor, interest, token: token)
    if code == 0 {
      watchers[descriptor] = Watcher(owner: owner, serial: serial, interest: interest)
    }
    return code
  }

  /// Whether a system call was needed.
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
