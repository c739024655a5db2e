// SPDX-License-Identifier: MIT

import Files

/// The words of the command line as they were before secrets among them were hidden from others.
enum CommandWords {
  static let all = commandLineWords()
}
