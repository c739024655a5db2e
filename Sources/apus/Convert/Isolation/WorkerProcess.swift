// SPDX-License-Identifier: MIT

import Bytes
import Files
import Glibc

/// A process that decodes photos, one at a time, and the end of the line to it.
final class WorkerProcess {
  let descriptor: Int32
  /// The photo that it is working on, and until when it may.
  private(set) var item: ConvertItem?
  private(set) var deadline = 0.0
  /// Whether it has sent something, or is gone.
  var isReadable = false
  private let process: pid_t
  private var received: [UInt8] = []
  private var isEnded = false

  /// A frame that is larger was not sent by us.
  private static let largestFrame = 16 << 20

  /// - Parameters:
  ///   - verb: what it is started with.
  ///   - words: its options.
  init(_ verb: String, _ words: [String]) throws(FileError) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw FileError("make", "a pair of sockets")
    }
    defer { close(ends[1]) }
    descriptor = ends[0]
    let (code, process) = Self.start(["apus", verb] + words, ends[1])
    self.process = process
    if code != 0 { isEnded = true }
    guard code == 0 else { throw FileError("start", "a process to decode in", code: code) }
  }

  deinit {
    close(descriptor)
    kill()
  }

  /// Gives it a photo, and the time that it may take for it. A process that is gone tells so when it is read.
  func begin(_ item: ConvertItem, seconds: Int) {
    self.item = item
    deadline = monotonicSeconds() + Double(seconds)
    let writer = DescriptorWriter(descriptor, name: "a process to decode in")
    do throws(FileError) {
      try writer.write(item.name.travelling.span)
      try writer.flush()
    } catch {}
  }

  enum Answer {
    case nothing
    case report(ReportFrame)
    /// It ended, or said what cannot be understood.
    case end
  }

  /// Takes what it has sent.
  func answer() -> Answer {
    let before = received.count
    received.append(contentsOf: repeatElement(0, count: 1 << 14))
    let count = unsafe received.withUnsafeMutableBytes { buffer in
      unsafe read(descriptor, buffer.baseAddress.map { unsafe $0 + before }, 1 << 14)
    }
    let code = errno
    received.removeLast((1 << 14) - max(count, 0))
    guard count > 0 else { return count < 0 && code == EINTR ? .nothing : .end }
    guard received.count >= ReportFrame.headerSize else { return .nothing }
    let size = ReportFrame.size(in: received[...])
    guard size <= Self.largestFrame else { return .end }
    let body = received.dropFirst(ReportFrame.headerSize)
    guard body.count >= size else { return .nothing }
    do throws(SyntaxError) {
      let frame = try ReportFrame(reading: Array(body.prefix(size)))
      received.removeAll(keepingCapacity: true)
      item = nil
      return .report(frame)
    } catch {
      return .end
    }
  }

  /// Asks it to abandon its photo and to end.
  func stop() {
    guard !isEnded else { return }
    Glibc.kill(process, SIGTERM)
    // One that waits for a photo gets the end.
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Ends it at once.
  func kill() {
    guard !isEnded else { return }
    Glibc.kill(process, SIGKILL)
    _ = wait()
  }

  /// Ends it and says how it ended: `was ended by SIGSEGV`.
  func end() -> String {
    guard !isEnded else { return "is gone" }
    // One that speaks nonsense is alive still; it has no reason to stay.
    if !received.isEmpty { Glibc.kill(process, SIGKILL) }
    let status = wait()
    let signal = status & 0x7f
    if signal == SIGXCPU { return "used more processor time than --limit cpu-seconds allows" }
    if signal != 0 { return "was ended by \(name(ofSignal: signal))" }
    return "ended with status \(status >> 8 & 0xff)"
  }

  private func wait() -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    isEnded = true
    return status
  }

  private static func start(_ words: [String], _ end: Int32) -> (code: Int32, process: pid_t) {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(
      &actions, end, ConvertWorker.descriptor)

    // Ctrl-C in a terminal is for this process, which tells the others.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))

    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) }
    unsafe arguments.append(nil)
    defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
    var process: pid_t = 0
    let code = unsafe posix_spawn(
      &process, "/proc/self/exe", &actions, &attributes, arguments, environ)
    return (code, process)
  }

  private func name(ofSignal signal: Int32) -> String {
    switch signal {
    case SIGSEGV: "SIGSEGV"
    case SIGABRT: "SIGABRT"
    case SIGILL: "SIGILL"
    case SIGTRAP: "SIGTRAP"
    case SIGBUS: "SIGBUS"
    case SIGFPE: "SIGFPE"
    case SIGKILL: "SIGKILL"
    case SIGSYS: "SIGSYS"
    default: "signal \(signal)"
    }
  }
}
