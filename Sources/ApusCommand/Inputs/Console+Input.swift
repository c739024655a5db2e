// SPDX-License-Identifier: MIT

import ApusMedia

extension Console {
  /// Reports that an input failed, before the verb continues with the next one. Usage errors are rethrown.
  func fail(_ input: Input, _ error: any Error) throws(UsageError) {
    if let error = error as? UsageError { throw error }
    let failure = MediaError(error)
    // A file that was found in a folder may be anything.
    let isOther = failure.kind == .unsupported || failure.kind == .missing
    if input.isFound, isOther, failure.subject == .input {
      return detail("\(input.name) \(failure)")
    }
    fail(input.name, error)
  }
}
