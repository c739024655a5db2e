// SPDX-License-Identifier: MIT

internal import Bytes
public import Flow
internal import Media
internal import Threads
internal import Transport

/// Passes items from the thread that reads an input to the one that sends them, with a limit on the bytes that wait.
/// Waiting for a disk or a pipe therefore does not block anything else.
public final class SampleFeed: ItemSource, Sendable {
  private struct State {
    var items: [StreamItem] = []
    var end: SourceEnd?
    var bytes = 0
    var isSenderWaiting = true
    var isCancelled = false
  }

  private let state = Monitor(State())
  private let capacity: Int
  /// The maximum number of items, whatever their size.
  private static let most = 2048

  /// - Parameter capacity: the number of bytes that may wait here; a single item always may.
  public init(capacity: Int = 2 << 20) { self.capacity = capacity }

  /// Reads a source to its end on its own thread.
  ///
  /// - Parameter onAvailable: called by that thread when there is something to take again.
  public func start(
    _ source: any SampleSource & Sendable, onAvailable: @escaping @Sendable () -> Void
  ) {
    let isStarted = Thread.start { [self] in fill(from: source, onAvailable) }
    guard !isStarted else { return }
    finish(.failed(MediaError(.io, of: .part("thread"), "cannot be created")), onAvailable)
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

  /// Ends the taking of items; a reader that waits returns.
  public func cancel() {
    state.change { state in
      state.isCancelled = true
      (state.items, state.bytes) = ([], 0)
    }
  }

  /// Removes and returns all items available; if there are none, the reading thread reports when there are.
  public func take() -> [StreamItem] {
    state.change { state in
      defer { (state.items, state.bytes) = ([], 0) }
      state.isSenderWaiting = state.items.isEmpty
      return state.items
    }
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

  /// Adds an item, waiting until there is room. Returns whether more is wanted.
  private func put(_ item: StreamItem, _ onAvailable: () -> Void) -> Bool {
    let (isPut, wakes) = state.wait { state -> (Bool, Bool)? in
      if state.isCancelled { return (false, false) }
      let count = state.items.count
      let isFull = count > 0 && (state.bytes + item.bytes > capacity || count >= Self.most)
      guard !isFull else { return nil }
      state.items.append(item)
      state.bytes += item.bytes
      defer { state.isSenderWaiting = false }
      return (true, state.isSenderWaiting)
    }
    if wakes { onAvailable() }
    return isPut
  }
}
