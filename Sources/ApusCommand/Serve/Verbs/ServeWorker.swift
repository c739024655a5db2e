// SPDX-License-Identifier: MIT

import CSandbox
import Files
import Glibc
import Stills
import Synchronization

/// `apus serve-worker`: a process that carries out verbs for a server, one request after the other, and has given up all but
/// what each request hands to it: the body on standard input, and files for the answer, the results and messages.
struct ServeWorker: Verb {
  static let name = "serve-worker"
  static let summary = "carry out verbs for the requests of a server"
  static let examples: [Example] = []

  /// The descriptor by which the process finds the file for results.
  static let results: Int32 = 3
  /// The descriptor of the socket on which requests come.
  static let channel: Int32 = 4
  /// The longest request, its words with a zero byte after each.
  static let longestRequest = 1 << 16
  /// Freed memory is given back to the system where the process has more than this.
  private static let mostKept = 96 << 20

  var seconds: UInt = 0
  var mebibytes: UInt = 0

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.operand("SECONDS", &seconds, "how much processor time a request may use")
    try v.operand("MEBIBYTES", &mebibytes, "how much address space the process may use")
  }

  /// The words that start it.
  static func words(_ limits: IsolationLimits) -> [String] {
    [name, String(limits.cpuSeconds), String(limits.addressMebibytes)]
  }

  func run(_ console: Console) throws -> ExitStatus {
    apus_end_with_parent()
    Confinement.prepare(closingFrom: Self.channel + 1)
    // Ctrl-C in a terminal is for the server, which finishes what is under way.
    setpgid(0, 0)
    let nothing = FileSystem.open("/dev/null", O_RDWR)
    let memory = ProcessMemory()
    guard nothing >= 0 else { throw FileError("open", "/dev/null") }
    var limits = IsolationLimits()
    limits.addressMebibytes = Int(clamping: mebibytes)
    // The time zone is read now or never.
    tzset()
    SpooledDestination.isStandardOutputAwaited.store(true, ordering: .relaxed)
    try Confinement.begin(limits, nil)
    Console.results.store(Self.results, ordering: .relaxed)

    var message = [UInt8](repeating: 0, count: Self.longestRequest)
    var files = [Int32](repeating: -1, count: Int(APUS_HANDED_FILES))
    while true {
      let count = unsafe apus_take_over(Self.channel, &message, message.count, &files)
      // The server is gone, or speaks nonsense.
      guard count > 0 else { return .done }
      for (number, file) in files.enumerated() {
        dup2(file, Int32(number))
        close(file)
      }
      let words = message[..<(count - 1)].split(separator: 0, omittingEmptySubsequences: false)
      Confinement.limitTime(Int(clamping: seconds))
      Console.resultsError.store(0, ordering: .relaxed)
      let status = Command.run(words.map { String(decoding: $0, as: UTF8.self) }[...])
      // What is left to do for this request must not be charged to the next one.
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

/// What a process says of a request that it is done with.
struct VerbReply {
  /// The status with which the verb ended.
  var status: Int32
  /// Why the results are not whole, as an error number of the system; 0 where they are.
  var resultsError: Int32
  /// How many bytes of the process are in memory.
  var resident: Int

  private static let size = 24

  init(status: Int32, resultsError: Int32, resident: Int) {
    (self.status, self.resultsError, self.resident) = (status, resultsError, resident)
  }

  func write(to channel: Int32) -> Bool {
    var numbers = [Int64(status), Int64(resultsError), Int64(resident)]
    return unsafe Glibc.write(channel, &numbers, Self.size) == Self.size
  }

  /// - Parameter isUnread: whether the process has ended without having read the request.
  /// - Returns: `nil` where the process has ended instead.
  init?(from channel: Int32, _ isUnread: inout Bool) {
    var numbers: [Int64] = [0, 0, 0]
    let count = unsafe recv(channel, &numbers, Self.size, 0)
    // What the system says of a socket whose other end was closed with something in it.
    isUnread = count < 0 && errno == ECONNRESET
    guard count == Self.size else { return nil }
    self.init(
      status: Int32(truncatingIfNeeded: numbers[0]),
      resultsError: Int32(truncatingIfNeeded: numbers[1]), resident: Int(numbers[2]))
  }
}
