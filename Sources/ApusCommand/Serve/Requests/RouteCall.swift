// SPDX-License-Identifier: MIT

/// What a request comes to: a verb with its options, and what the answer is made of.
struct RouteCall: Sendable {
  enum Result: Hashable, Sendable {
    /// The file that the verb writes.
    case file
    /// Several files, which the verb writes as one body of parts.
    case parts
    /// What it prints as JSON.
    case results
    /// The page that it writes.
    case page
  }

  var words: [String]
  var result: Result
}
