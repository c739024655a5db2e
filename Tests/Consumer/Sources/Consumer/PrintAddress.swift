// SPDX-License-Identifier: MIT

// begin
import RTMP

/// An address for messages, without its key.
func words(for url: String) throws(SessionError) -> String {
  "publishing to \(try Address(url))"
}
// end
