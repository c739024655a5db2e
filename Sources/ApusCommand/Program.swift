// SPDX-License-Identifier: MIT

import Files
import Glibc

/// The process of the command.
package enum Program {
  /// Carries out what was typed and ends the process.
  package static func run() -> Never {
    // What is closed would be opened as a file of the user's, and get the messages.
    guard openStandardDescriptors() else { _exit(ExitStatus.failed.rawValue) }
    // A reader that goes away is an error of `write`, so that unfinished files are removed first.
    signal(SIGPIPE, SIG_IGN)
    // So is a file that may not grow any further: it costs one photo, and not the run.
    signal(SIGXFSZ, SIG_IGN)
    let words = CommandWords.all.dropFirst()
    ProcessTitle.hideSecrets()
    if let call = CommandWords.all.first.flatMap(DropInCall.init) { _exit(call.run(words)) }
    LastValues.leave()
    // Nothing is left to be flushed, and what 150 opened libraries do at the end costs time and memory.
    _exit(Command.run(words).rawValue)
  }
}
