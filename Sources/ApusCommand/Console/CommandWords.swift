// SPDX-License-Identifier: MIT

import ApusFiles

/// The words of the command line before its secrets were hidden.
enum CommandWords {
  static let all = commandLineWords()
}
