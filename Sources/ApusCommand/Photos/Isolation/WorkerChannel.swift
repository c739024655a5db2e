// SPDX-License-Identifier: MIT

import ApusFiles
import ApusStills
import ApusThreads
import Synchronization

/// The end of a converting process: photos come from the run, reports go there, and the run knows whose an output is.
final class WorkerChannel: BatchSource {
  /// The descriptor by which a process finds the run that started it.
  static let descriptor: Int32 = 3

  private struct State: Sendable {
    var photos: [WorkerItem] = []
    /// Whether no further photo follows.
    var isEnded = false
    /// Whether the run is gone.
    var isGone = false
    var answer: OutputClaims.Claim?
  }

  private let settings: ConvertSettings
  private let messages = Mutex(WorkerMessages<WorkerRequest>(WorkerChannel.descriptor))
  private let state = Monitor(State())
  private let claiming = Mutex(())
  private let sending = Mutex(())

  /// - Parameter settings: those of the run.
  init(_ settings: ConvertSettings) { self.settings = settings }

  /// Waits for the first photo, and confines this process to the folders of that one. What another process sends later is about
  /// photos of the same folders.
  func confine() throws {
    // The message stays among those that are listened to.
    let message = try messages.withLock { messages throws -> WorkerRequest? in
      while messages.receive() {
        var seen = messages
        if let message = try seen.next() { return message }
      }
      return nil
    }
    var item: BatchItem?
    if case .photo(let photo) = message { item = photo.item(settings.batch.planner) }
    try Confinement.begin(
      settings.isolation, item.map { ReachableFiles($0, settings.batch.target) })
  }

  /// Reads what the run says until it says no more, on a thread of its own.
  ///
  /// - Parameter stop: abandons what is being converted.
  func listen(_ stop: @escaping @Sendable () -> Void) throws(FileError) {
    let isListening = Thread.start { [self] in
      var messages = messages.withLock { $0 }
      do {
        repeat {
          while let message = try messages.next() { react(to: message, stop) }
        } while messages.receive()
      } catch {}
      // A run that is gone or that says nonsense has no further photo, and those in flight are not reported.
      end()
      state.change { $0.isGone = true }
      stop()
    }
    guard isListening else { throw FileError("start", "a thread") }
  }

  private func react(to message: WorkerRequest, _ stop: () -> Void) {
    switch message {
    case .photo(let photo): state.change { $0.photos.append(photo) }
    case .answer(let claim): state.change { $0.answer = claim }
    case .noMore: state.change { $0.isEnded = true }
    case .stop:
      end()
      stop()
    }
  }

  private func end() {
    state.change { state in
      state.isEnded = true
      state.photos = []
    }
  }

  /// The next photo, once the run has named it; `nil` where none follows.
  func next() -> BatchItem? {
    let photo = state.wait { state -> WorkerItem?? in
      if !state.photos.isEmpty { return .some(state.photos.removeFirst()) }
      return state.isEnded ? .some(nil) : nil
    }
    let item = photo?.item(settings.batch.planner)
    if settings.isIsolated { Confinement.limitTime(settings.isolation.cpuSeconds) }
    return item
  }

  func finish(_ item: BatchItem, _ report: PhotoReport) {
    // What is left to do for this photo must not be charged to the next one.
    if settings.isIsolated { Confinement.limitTime(.max) }
    send(.report(report), of: item)
  }

  // MARK: - Outputs

  func claim(_ path: String, for item: BatchItem) -> OutputClaims.Claim {
    claiming.withLock { _ in
      send(.claim(path), of: item)
      return state.wait { state in
        defer { state.answer = nil }
        // Without the run it is not known whose it is.
        return state.answer ?? (state.isGone ? .taken : nil)
      }
    }
  }

  func note(_ state: OutputState, of item: BatchItem) { send(.output(state), of: item) }

  /// Sends a message. If the run is gone nothing reads it, and the listening thread ends the work.
  private func send(_ event: WorkerReply.Event, of item: BatchItem) {
    let reply = WorkerReply(item: item.number, event: event)
    sending.withLock { _ in
      do { try reply.send(to: Self.descriptor, name: "the run") } catch {}
    }
  }
}
