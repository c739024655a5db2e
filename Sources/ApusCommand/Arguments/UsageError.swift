// SPDX-License-Identifier: MIT

/// Thrown if the command line is invalid. Ends the command with status 2 and a pointer to the help.
struct UsageError: Error, Hashable, CustomStringConvertible {
  var message: String
  init(_ message: String) { self.message = message }
  var description: String { message }
}
