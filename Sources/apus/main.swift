// SPDX-License-Identifier: MIT

import Glibc

// A reader that goes away is an error of `write`, so that unfinished files are removed first.
signal(SIGPIPE, SIG_IGN)
exit(Command.run(CommandLine.arguments.dropFirst()).rawValue)
