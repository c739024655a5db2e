// SPDX-License-Identifier: MIT

internal import ApusThreads

extension Duration {
  /// The duration in a message, such as `10 s` or `250 ms`.
  var text: String {
    components.attoseconds == 0 ? "\(components.seconds) s" : "\(milliseconds) ms"
  }
}
