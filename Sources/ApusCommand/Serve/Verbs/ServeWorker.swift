// SPDX-License-Identifier: MIT

import ApusFiles
import ApusStills
import CApusSandbox
import Glibc
import Synchronization

/// `apus serve-worker`: a process that runs verbs for a server, one request after the other, and has no access to
/// anything but the files passed with each request: the body on standard input, and files for the answer, the results
/// and messages.
struct ServeWorker: Verb {
  static let name = "serve-worker"
  static let summary = "carry out verbs for the requests of a server"
  static let examples: [Example] = []

  /// The descriptor of the file for results.
  static let results: Int32 = 3
  /// The descriptor of the socket on which requests arrive.
  static let channel: Int32 = 4
  /// The size of the longest request, with a zero byte after each of its words.
  static let longestRequest = 1 << 16
  /// The memory in bytes above which a process returns freed memory to the system.
  private static let mostKept = 96 << 20

  var seconds: UInt = 0
  var mebibytes: UInt = 0

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.operand("SECONDS", &seconds, "how much processor time a request may use")
    try v.operand("MEBIBYTES", &mebibytes, "how much address space the process may use")
  }

  /// Returns the words of the command that starts it.
  static func words(_ limits: IsolationLimits) -> [String] {
    [name, String(limits.cpuSeconds), String(limits.addressMebibytes)]
  }

  func run(_ console: Console) throws -> ExitStatus {
    apus_end_with_parent()
    Confinement.prepare(closingFrom: Self.channel + 1)
    // Ctrl-C in a terminal is for the server, which finishes the requests under way.
    setpgid(0, 0)
    let nothing = FileSystem.open("/dev/null", O_RDWR)
    let memory = ProcessMemory()
    guard nothing >= 0 else { throw FileError("open", "/dev/null") }
    var limits = IsolationLimits()
    limits.addressMebibytes = Int(clamping: mebibytes)
    // The time zone cannot be read after confinement.
    tzset()
    SpooledDestination.isStandardOutputAwaited.store(true, ordering: .relaxed)
    try Confinement.begin(limits, nil)
    Console.results.store(Self.results, ordering: .relaxed)

    var message = [UInt8](repeating: 0, count: Self.longestRequest)
    var files = [Int32](repeating: -1, count: Int(APUS_HANDED_FILES))
    while true {
      let count = unsafe apus_take_over(Self.channel, &message, message.count, &files)
      // The server has ended, or sent an invalid message.
      guard count > 0 else { return .done }
      for (number, file) in files.enumerated() {
        dup2(file, Int32(number))
        close(file)
      }
      let words = message[..<(count - 1)].split(separator: 0, omittingEmptySubsequences: false)
      Confinement.limitTime(Int(clamping: seconds))
      Console.resultsError.store(0, ordering: .relaxed)
      let status = console.runVerb(words.map { String(decoding: $0, as: UTF8.self) }[...])
      // The remaining work for this request must not count towards the limit of the next one.
      Confinement.limitTime(.max)
      Interruption.forget()
      for number in 0..<Int32(files.count) { dup2(nothing, number) }
      var resident = memory.resident
      if resident > Self.mostKept {
        apus_give_back_freed()
        resident = memory.resident
      }
      let error = Console.resultsError.load(ordering: .relaxed)
      let reply = VerbReply(status: status.rawValue, resultsError: error, resident: resident)
      guard reply.write(to: Self.channel) else { return .done }
    }
  }
}

/// The reply of a process after a request.
struct VerbReply {
  /// The status with which the verb ended.
  var status: Int32
  /// The error number of the system because of which the results are incomplete; 0 if they are complete.
  var resultsError: Int32
  /// The resident memory of the process in bytes.
  var resident: Int

  private static let size = 24

  init(status: Int32, resultsError: Int32, resident: Int) {
    (self.status, self.resultsError, self.resident) = (status, resultsError, resident)
  }

  func write(to channel: Int32) -> Bool {
    var numbers = [Int64(status), Int64(resultsError), Int64(resident)]
    return unsafe Glibc.write(channel, &numbers, Self.size) == Self.size
  }

  /// Reads a reply.
  ///
  /// - Parameter isUnread: whether the process has ended without having read the request.
  /// - Returns: `nil` if the process has ended instead.
  init?(from channel: Int32, _ isUnread: inout Bool) {
    var numbers: [Int64] = [0, 0, 0]
    let count = unsafe recv(channel, &numbers, Self.size, 0)
    // The system's error for a socket whose other end was closed with unread data.
    isUnread = count < 0 && errno == ECONNRESET
    guard count == Self.size else { return nil }
    self.init(
      status: Int32(truncatingIfNeeded: numbers[0]),
      resultsError: Int32(truncatingIfNeeded: numbers[1]), resident: Int(numbers[2]))
  }
}
