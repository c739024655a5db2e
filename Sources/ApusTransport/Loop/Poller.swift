// SPDX-License-Identifier: MIT

internal import CApusSockets
internal import Glibc

/// The events for which a descriptor is ready, or is watched.
struct Readiness: OptionSet {
  var rawValue: UInt32

  static let readable = Readiness(rawValue: EPOLLIN.rawValue)
  static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
  /// The connection is broken, or closed in both directions. It is always reported.
  static let hungUp = Readiness(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)
}

/// Owns an epoll instance, which reports descriptors as long as they are ready (level-triggered).
@safe struct Poller: ~Copyable {
  private let descriptor: Int32
  private let events: UnsafeMutablePointer<epoll_event>
  private static let capacity = 256

  enum Change {
    case add, change, remove
  }

  init() throws(TransportError) {
    let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard descriptor >= 0 else { throw .system("make an epoll instance") }
    self.descriptor = descriptor
    unsafe events = .allocate(capacity: Self.capacity)
    unsafe events.initialize(repeating: epoll_event(), count: Self.capacity)
  }

  deinit {
    unsafe events.deallocate()
    close(descriptor)
  }

  /// Returns 0, or the system's error number.
  func apply(_ change: Change, _ target: Int32, _ interest: Readiness, token: UInt64) -> Int32 {
    let operation =
      switch change {
      case .add: EPOLL_CTL_ADD
      case .change: EPOLL_CTL_MOD
      case .remove: EPOLL_CTL_DEL
      }
    let code = apus_epoll_change(descriptor, operation, target, interest.rawValue, token)
    return code == 0 ? 0 : errno
  }

  /// Waits for this many milliseconds, -1 for ever. Returns the number of descriptors that are ready.
  func wait(_ milliseconds: Int32) -> Int {
    let count = unsafe epoll_wait(descriptor, events, Int32(Self.capacity), milliseconds)
    // The only possible error is an interruption: nothing is ready.
    return max(Int(count), 0)
  }

  /// A descriptor that `wait` found.
  subscript(index: Int) -> (token: UInt64, readiness: Readiness) {
    unsafe (apus_epoll_data(events + index), Readiness(rawValue: events[index].events))
  }
}
