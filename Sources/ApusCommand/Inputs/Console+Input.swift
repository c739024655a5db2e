// SPDX-License-Identifier: MIT

import Media

extension Console {
  /// An input failed, and the verb goes on with the next one. What is wrong with the arguments is thrown on.
  func fail(_ input: Input, _ error: any Error) throws(UsageError) {
    if let error = error as? UsageError { throw error }
    let failure = MediaError(error)
    // A file that was found in a folder may be anything.
    if input.isFound, failure.subject == .input { return detail("\(input.name) \(failure)") }
    fail(input.name, error)
  }
}
