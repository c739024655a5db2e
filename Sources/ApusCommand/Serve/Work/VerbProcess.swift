// SPDX-License-Identifier: MIT

import CSandbox
import Files
import Glibc

/// A confined process that carries out verbs for a server, as the server sees it.
///
/// May cross threads, for it belongs to one at a time: the one that has taken it out of the pool.
final class VerbProcess: @unchecked Sendable {
  /// What came of a request.
  enum Outcome {
    case done(ExitStatus)
    /// The results could not be written, for the reason that an error number of the system gives.
    case unwritten(Int32)
    /// The process has ended.
    case ended(ProcessEnding)
    /// The process took too long, and was ended.
    case late
    /// The client closed its connection meanwhile, and the process was ended.
    case abandoned
    /// The process was gone before it read the request.
    case gone
  }

  let process: pid_t
  /// How many requests it has carried out.
  private(set) var requests = 0
  /// How many bytes of it were in memory after the last one.
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
    // The place of the results is taken until the first ones are wanted.
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

  /// Carries out a verb, and waits until that is done.
  ///
  /// - Parameters:
  ///   - words: the verb with its options.
  ///   - files: the body, and the files for the answer, messages and results.
  ///   - client: the socket of the client that wants the answer.
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
    let deadline = ContinuousClock.now + .seconds(seconds)
    while true {
      let rest = deadline - .now
      guard rest > .zero else { return APUS_WAIT_OVER }
      let milliseconds =
        rest.components.seconds * 1000 + 1 + rest.components.attoseconds / 1_000_000_000_000_000
      let end = apus_wait_for_reply(channel, client, Int32(clamping: milliseconds))
      if end != APUS_WAIT_OVER { return end }
    }
  }

  /// Ends it at once.
  private func end() {
    guard !hasEnded else { return }
    hasEnded = true
    kill(process, SIGKILL)
    _ = OwnProcess.wait(for: process)
  }
}
