// SPDX-License-Identifier: MIT

import Glibc

// A reader that goes away is an error of `write`, so that unfinished files are removed first.
signal(SIGPIPE, SIG_IGN)
// So is a file that may not grow any further: it costs one photo, and not the run.
signal(SIGXFSZ, SIG_IGN)
let words = CommandLine.arguments.dropFirst()
ProcessTitle.hideSecrets()
// Nothing is left to be flushed, and what 150 opened libraries do at the end costs time and memory.
_exit(Command.run(words).rawValue)
