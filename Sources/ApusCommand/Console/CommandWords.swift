// SPDX-License-Identifier: MIT

import Files

/// The words of the command line before its secrets were hidden.
enum CommandWords {
  static let all = commandLineWords()
}
