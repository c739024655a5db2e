// SPDX-License-Identifier: MIT

/// The call for a request: a verb with its options, and the source of the answer.
struct RouteCall: Sendable {
  enum Result: Hashable, Sendable {
    /// The file that the verb writes.
    case file
    /// Several files, which the verb writes as one body of parts.
    case parts
    /// The results that it prints as JSON.
    case results
    /// The page that it writes.
    case page
  }

  var words: [String]
  var result: Result
}
