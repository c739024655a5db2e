// SPDX-License-Identifier: MIT

import CSandbox
import Files
import Synchronization

/// `apus serve-worker`: a verb that a server carries out for one request, in a process that has given up all but what it
/// was handed: the body of the request on standard input, and files for the answer, the results and messages.
struct ServeWorker: Verb {
  static let name = "serve-worker"
  static let summary = "carry out a verb for a request"
  static let examples: [Example] = []

  /// The descriptor by which the process finds the file for results.
  static let results: Int32 = 3

  var seconds: UInt = 0
  var mebibytes: UInt = 0
  var words: [String] = []

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.operand("SECONDS", &seconds, "how much processor time it may use")
    try v.operand("MEBIBYTES", &mebibytes, "how much address space it may use")
    try v.operands("WORD", &words, "the verb with its options")
  }

  /// The words that start it.
  static func words(_ limits: IsolationLimits, _ verb: [String]) -> [String] {
    [name, String(limits.cpuSeconds), String(limits.addressMebibytes), "--"] + verb
  }

  /// The file for the result, those for what the codec's libraries open meanwhile, and some to spare.
  private static var openFiles: UInt32 { 64 }

  func run(_ console: Console) throws -> ExitStatus {
    apus_end_with_parent()
    let limited = apus_limit_process(UInt64(min(mebibytes, 1 << 24)) << 20, Self.openFiles)
    guard limited == 0 else { throw FileError("limit", "this process", code: limited) }
    let refused = apus_refuse_system_calls()
    guard refused == 0 else { throw FileError("isolate", "this process", code: refused) }
    apus_limit_time(UInt64(min(seconds, 1 << 32)))
    Console.results.store(Self.results, ordering: .relaxed)
    return Command.run(words)
  }
}
