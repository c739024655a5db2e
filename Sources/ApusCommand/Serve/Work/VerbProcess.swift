// SPDX-License-Identifier: MIT

import ApusFiles
import CApusSandbox
import Glibc

/// A confined process that runs verbs for a server, from the server's side.
///
/// It may cross threads, because it belongs to one at a time: the one that has taken it out of the pool.
final class VerbProcess: @unchecked Sendable {
  /// The result of a request.
  enum Outcome {
    case done(ExitStatus)
    /// The results could not be written; the error number of the system.
    case unwritten(Int32)
    /// The process has ended.
    case ended(ProcessEnding)
    /// The process took too long, and was killed.
    case late
    /// The client closed its connection in the meantime, and the process was killed.
    case abandoned
    /// The process had ended before it read the request.
    case gone
  }

  let process: pid_t
  /// The number of requests that it has carried out.
  private(set) var requests = 0
  /// The resident memory after the last one, in bytes.
  private(set) var resident = 0
  private let channel: Int32
  private let seconds: Int
  private var hasEnded = false

  init(_ limits: IsolationLimits) throws(FileError) {
    seconds = limits.wallSeconds
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw FileError("make", "a pair of sockets")
    }
    defer { close(ends[1]) }
    // The descriptor for results is reserved until the first request.
    let started = OwnProcess.start(
      ServeWorker.words(limits),
      descriptors: [(ends[1], ServeWorker.results), (ends[1], ServeWorker.channel)],
      isConfined: true)
    guard started.code == 0 else {
      close(ends[0])
      throw FileError("start", "a process to work in", code: started.code)
    }
    channel = ends[0]
    process = started.process
  }

  deinit {
    if !hasEnded { end() }
    close(channel)
  }

  /// Runs a verb, and waits for the end.
  ///
  /// - Parameters:
  ///   - words: the verb with its options.
  ///   - files: the body, and the files for the answer, messages and results.
  ///   - client: the socket of the client that waits for the answer.
  func carryOut(_ words: [String], _ files: [Int32], client: Int32) -> Outcome {
    let message: [UInt8] = words.reduce(into: []) { $0 += Array($1.utf8) + [0] }
    let code = unsafe apus_hand_over(channel, message, message.count, files)
    guard code == 0 else {
      end()
      return .gone
    }
    switch waitForReply(client) {
    case APUS_WAIT_REPLY: break
    case APUS_WAIT_ABANDONED:
      end()
      return .abandoned
    default:
      end()
      return .late
    }
    var isUnread = false
    guard let reply = VerbReply(from: channel, &isUnread) else {
      hasEnded = true
      let status = OwnProcess.wait(for: process)
      return isUnread ? .gone : .ended(ProcessEnding(status: status))
    }
    requests += 1
    resident = reply.resident
    guard reply.resultsError == 0 else { return .unwritten(reply.resultsError) }
    guard let status = ExitStatus(rawValue: reply.status) else { return .done(.failed) }
    return .done(status)
  }

  private func waitForReply(_ client: Int32) -> apus_wait {
    let deadline = SuspendingClock.now + .seconds(seconds)
    while true {
      let rest = deadline - .now
      guard rest > .zero else { return APUS_WAIT_OVER }
      let milliseconds =
        rest.components.seconds * 1000 + 1 + rest.components.attoseconds / 1_000_000_000_000_000
      let end = apus_wait_for_reply(channel, client, Int32(clamping: milliseconds))
      if end != APUS_WAIT_OVER { return end }
    }
  }

  /// Kills it at once.
  private func end() {
    guard !hasEnded else { return }
    hasEnded = true
    kill(process, SIGKILL)
    _ = OwnProcess.wait(for: process)
  }
}
