// SPDX-License-Identifier: MIT

import Glibc

/// The way in which a process ended.
struct ProcessEnding {
  /// The text that follows its name: `was ended by SIGSEGV`.
  var text: String
  /// The sentence that says whose fault it is.
  var blame = "this is a fault of apus, please report it"
  /// Whether it is no limit that ended it.
  var isFault = true
  /// The status with which it ended by itself.
  var status: ExitStatus?
}

extension ProcessEnding {
  /// - Parameter status: as the system has it.
  init(status: Int32) {
    let signal = status & 0x7f
    switch signal {
    case 0:
      let code = status >> 8 & 0xff
      self.init(text: "ended with status \(code)", status: ExitStatus(rawValue: code))
    case SIGXCPU:
      self.init(
        text: "used more processor time than --limit cpu-seconds allows", isFault: false)
    case SIGKILL, SIGTERM:
      self.init(
        text: "was ended by \(Self.name(ofSignal: signal))",
        blame: "another program did that, or the system for want of memory")
    default: self.init(text: "was ended by \(Self.name(ofSignal: signal))")
    }
  }

  private static func name(ofSignal signal: Int32) -> String {
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
