// SPDX-License-Identifier: MIT

import CSandbox
import Files

/// What a process that decodes photos apart from the others gives up for good.
enum Confinement {
  /// The photo, the output, the libraries that are opened meanwhile, and some to spare.
  private static var openFiles: UInt32 { 64 }

  /// Gives up all that decoding does not need.
  static func begin(_ limits: IsolationLimits) throws(FileError) {
    let mebibytes = UInt64(min(limits.addressMebibytes, 1 << 24))
    let limited = apus_limit_process(mebibytes << 20, openFiles)
    guard limited == 0 else { throw FileError("limit", "this process", code: limited) }
    let refused = apus_refuse_system_calls()
    guard refused == 0 else { throw FileError("isolate", "this process", code: refused) }
  }

  /// Ends this process when it has used so many more seconds of processor time.
  static func limitTime(_ seconds: Int) {
    apus_limit_time(UInt64(min(seconds, 1 << 32)))
  }
}
