// SPDX-License-Identifier: MIT

internal import Bytes
public import Flow
internal import Glibc
public import Media
internal import Synchronization
internal import Threads
internal import Transport

/// Hands items from the thread that reads an input to the one that sends them, so many bytes at most at a time.
/// Waiting for a disk or a pipe so holds nothing else up.
public final class SampleFeed: ItemSource, Sendable {
  private struct State {
    var items: [StreamItem] = []
    var end: SourceEnd?
    var bytes = 0
    var isReaderWaiting = false
    var isSenderWaiting = true
    var isCancelled = false
  }

  private let state = Mutex(State())
  private let capacity: Int
  /// The reader sleeps on it while there is no room.
  private let bell: (read: Int32, write: Int32)
  /// However small they are.
  private static let most = 2048

  /// - Parameter capacity: bytes that may wait here; one item always may.
  public init(capacity: Int = 2 << 20) throws(MediaError) {
    self.capacity = capacity
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw MediaError(.io, "cannot make a pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    bell = (ends[0], ends[1])
  }

  deinit {
    close(bell.read)
    close(bell.write)
  }

  /// Reads a source to its end on a thread of its own.
  ///
  /// - Parameter onAvailable: called by that thread where there is something to take again.
  public func start(
    _ source: any SampleSource & Sendable, onAvailable: @escaping @Sendable () -> Void
  ) {
    let isStarted = Thread.start { [self] in fill(from: source, onAvailable) }
    guard !isStarted else { return }
    finish(.failed(MediaError(.io, of: .part("thread"), "cannot be made")), onAvailable)
  }

  func fill(from source: any SampleSource, _ onAvailable: () -> Void) {
    var source = source
    var reader = ItemReader(source.tracks)
    do {
      while let event = try source.next() {
        guard let item = try reader.item(event) else { continue }
        guard put(item, onAvailable) else { return }
      }
      finish(.complete, onAvailable)
    } catch {
      finish(.failed(MediaError(error)), onAvailable)
    }
  }

  /// Nothing more is taken; a reader that waits returns.
  public func cancel() {
    let isWaiting = state.withLock { state in
      state.isCancelled = true
      (state.items, state.bytes) = ([], 0)
      return state.isReaderWaiting
    }
    if isWaiting { ring() }
  }

  /// All that is there; where there is nothing, the filling thread will say when there is.
  public func take() -> [StreamItem] {
    let (items, isWaiting) = state.withLock { state -> ([StreamItem], Bool) in
      let items = state.items
      state.isSenderWaiting = items.isEmpty
      defer { state.isReaderWaiting = false }
      (state.items, state.bytes) = ([], 0)
      return (items, state.isReaderWaiting)
    }
    if isWaiting { ring() }
    return items
  }

  public var end: SourceEnd? { state.withLock { $0.items.isEmpty ? $0.end : nil } }

  private func finish(_ end: SourceEnd, _ onAvailable: () -> Void) {
    let wakes = state.withLock { state in
      if !state.isCancelled { state.end = end }
      defer { state.isSenderWaiting = false }
      return state.isSenderWaiting && !state.isCancelled
    }
    if wakes { onAvailable() }
  }

  private func put(_ item: StreamItem, _ onAvailable: () -> Void) -> Bool {
    while true {
      let (isPut, isCancelled, wakes) = state.withLock { state -> (Bool, Bool, Bool) in
        if state.isCancelled { return (false, true, false) }
        let count = state.items.count
        let isFull = count > 0 && (state.bytes + item.bytes > capacity || count >= Self.most)
        if isFull {
          state.isReaderWaiting = true
          return (false, false, false)
        }
        state.items.append(item)
        state.bytes += item.bytes
        let wakes = state.isSenderWaiting
        state.isSenderWaiting = false
        return (true, false, wakes)
      }
      if wakes { onAvailable() }
      if isPut || isCancelled { return isPut }
      var byte: UInt8 = 0
      _ = unsafe read(bell.read, &byte, 1)
    }
  }

  private func ring() {
    var byte: UInt8 = 1
    _ = unsafe write(bell.write, &byte, 1)
  }
}
