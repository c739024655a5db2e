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
public final class SampleFeed: EntrySource, Sendable {
  public enum Entry: Sendable {
    case item(StreamItem)
    case end(MediaError?)
  }

  private struct State {
    var entries: [Entry] = []
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
    let error = MediaError(.io, of: .part("thread"), "cannot be made")
    _ = put(.end(error), 0, onAvailable)
  }

  func fill(from source: any SampleSource, _ onAvailable: () -> Void) {
    var source = source
    var reader = ItemReader(source.tracks)
    do {
      while let event = try source.next() {
        guard let item = try reader.item(event) else { continue }
        guard put(.item(item), item.bytes, onAvailable) else { return }
      }
      _ = put(.end(nil), 0, onAvailable)
    } catch {
      _ = put(.end(MediaError(error)), 0, onAvailable)
    }
  }

  /// Nothing more is taken; a reader that waits goes home.
  public func cancel() {
    let isWaiting = state.withLock { state in
      state.isCancelled = true
      (state.entries, state.bytes) = ([], 0)
      return state.isReaderWaiting
    }
    if isWaiting { ring() }
  }

  /// All that is there; where there is nothing, the filling thread will say when there is.
  public func take() -> [Entry] {
    let (entries, isWaiting) = state.withLock { state -> ([Entry], Bool) in
      let entries = state.entries
      state.isSenderWaiting = entries.isEmpty
      defer { state.isReaderWaiting = false }
      (state.entries, state.bytes) = ([], 0)
      return (entries, state.isReaderWaiting)
    }
    if isWaiting { ring() }
    return entries
  }

  private func put(_ entry: Entry, _ bytes: Int, _ onAvailable: () -> Void) -> Bool {
    while true {
      let (isPut, isCancelled, wakes) = state.withLock { state -> (Bool, Bool, Bool) in
        if state.isCancelled { return (false, true, false) }
        let count = state.entries.count
        let isFull = count > 0 && (state.bytes + bytes > capacity || count >= Self.most)
        if isFull {
          state.isReaderWaiting = true
          return (false, false, false)
        }
        state.entries.append(entry)
        state.bytes += bytes
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
