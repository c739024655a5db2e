// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusStills
import Glibc

/// A process that converts photos, and the end of the line to it.
final class WorkerProcess {
  /// The photos that it was given and has not reported.
  private(set) var attempts: [Attempt] = []
  /// The time by which it must be done with its photo; `nil` if its time is unlimited.
  private(set) var deadline: SuspendingClock.Instant?
  /// Whether it has said something, or has ended.
  private(set) var isReadable = false
  /// Whether it knows that no further photo follows.
  private(set) var isDismissed = false
  let reach: ReachableFiles?
  private let descriptor: Int32
  private let process: pid_t
  private var messages: WorkerMessages<WorkerReply>
  private var isEnded = false

  /// Whether a process can be started here: the program is found by a link of the system.
  static var isPossible: Bool { FileSystem.exists("/proc/self/exe") }

  /// - Parameter reach: the files to which it confines itself when it gets its first photo; `nil` if it is not confined.
  init(_ command: WorkerCommand, _ reach: ReachableFiles?) throws(FileError) {
    self.reach = reach
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw FileError("make", "a pair of sockets")
    }
    defer { close(ends[1]) }
    descriptor = ends[0]
    messages = WorkerMessages(ends[0])
    let (code, process) = OwnProcess.start(
      command.words, descriptors: [(ends[1], WorkerChannel.descriptor)], isConfined: reach != nil)
    self.process = process
    if code != 0 { isEnded = true }
    guard code == 0 else { throw FileError("start", "a process to convert in", code: code) }
  }

  deinit {
    close(descriptor)
    kill()
  }

  /// Gives it a photo, and the time that it may take for it.
  func begin(_ attempt: Attempt, seconds: Int?) {
    attempts.append(attempt)
    deadline = seconds.map { SuspendingClock.now + .seconds($0) }
    send(.photo(WorkerItem(attempt.item)))
  }

  /// Tells it that no further photo follows, so that it ends after those that it has.
  func dismiss() {
    guard !isDismissed else { return }
    isDismissed = true
    send(.noMore)
  }

  /// Asks it to abandon its photos and to end.
  func stop() {
    isDismissed = true
    send(.stop)
  }

  /// A process that is gone is noticed when it is heard.
  private func send(_ message: WorkerRequest) {
    do { try message.send(to: descriptor, name: "a process to convert in") } catch {}
  }

  /// Takes what it has said. Returns whether it may say more: it has not ended, and spoke sense.
  ///
  /// - Parameters:
  ///   - source: knows whose the outputs are.
  ///   - finish: called with each photo that is done with.
  func hear(for source: any BatchSource, _ finish: (BatchItem, PhotoReport) -> Void) -> Bool {
    guard messages.receive() else { return false }
    do throws(SyntaxError) {
      while let message = try messages.next() {
        guard hear(message, source, finish) else { return false }
      }
      return true
    } catch {
      return false
    }
  }

  private func hear(
    _ message: WorkerReply, _ source: any BatchSource,
    _ finish: (BatchItem, PhotoReport) -> Void
  ) -> Bool {
    guard let place = place(message.item) else { return false }
    switch message.event {
    case .report(let report):
      let item = attempts[place].item
      guard let report = report.trusted(for: item) else { return false }
      attempts.remove(at: place)
      if attempts.isEmpty { deadline = nil }
      finish(item, report)
    case .claim(let path): send(.answer(attempts[place].claim(path, in: source)))
    case .output(let state): attempts[place].note(state)
    }
    return true
  }

  /// The place of the photo with that number. A process with one photo speaks of no other, whatever it says: a broken photo may have
  /// taken it over.
  private func place(_ number: Int) -> Int? {
    attempts.count == 1 ? 0 : attempts.firstIndex { $0.item.number == number }
  }

  /// Ends it at once.
  func kill() {
    guard !isEnded else { return }
    Glibc.kill(process, SIGKILL)
    _ = wait()
  }

  /// Ends it, if it has not, and says how it ended.
  func end() -> ProcessEnding {
    guard !isEnded else { return ProcessEnding(text: "is gone") }
    // One that speaks nonsense lives; it has no reason to stay.
    if !hasClosed { Glibc.kill(process, SIGKILL) }
    return ProcessEnding(status: wait())
  }

  /// Whether it has closed its end, as all do that end.
  private var hasClosed: Bool {
    var look = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&look, 1, 0) > 0 && look.revents & Int16(POLLHUP) != 0
  }

  private func wait() -> Int32 {
    isEnded = true
    return OwnProcess.wait(for: process)
  }

  /// Waits until one of them has reported, another thread wakes this one, or it is that late.
  static func wait(
    for processes: [WorkerProcess], and wake: WakePipe?, until deadline: SuspendingClock.Instant?
  ) {
    var waits = processes.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    if let wake { waits.append(pollfd(fd: wake.reading, events: Int16(POLLIN), revents: 0)) }
    var milliseconds: Int32 = -1
    if let deadline {
      let left = (deadline - SuspendingClock.now) / .milliseconds(1)
      milliseconds = Int32(min(max(left, 0) + 1, 1e9))
    }
    // After a signal nothing has come; the caller waits again.
    if unsafe poll(&waits, nfds_t(waits.count), milliseconds) < 0 {
      for index in waits.indices { waits[index].revents = 0 }
    }
    for (process, wait) in zip(processes, waits) { process.isReadable = wait.revents != 0 }
    wake?.rest()
  }
}

extension PhotoReport {
  /// Returns the parts that a process may report about a photo, or `nil` if they make no sense. A process that a broken
  /// photo has taken over can neither report another photo nor remove one, and sums of its sizes fit.
  fileprivate func trusted(for item: BatchItem) -> PhotoReport? {
    let sizes = outputs.map(\.bytes) + [bytesIn]
    guard sizes.allSatisfy((0..<1 << 44).contains), seconds.isFinite else { return nil }
    var report = self
    (report.input, report.source) = (item.name.path, nil)
    return report
  }
}
