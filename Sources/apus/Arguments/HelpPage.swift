// SPDX-License-Identifier: MIT

/// What `--help` shows, made from the declaration of the verb.
struct HelpPage {
  let text: String

  init(_ verb: any Verb.Type, width: Int) { text = verb.summary + "\n" }

  static let short = "usage: apus VERB [OPTION]… [OPERAND]…\n"
  static func overview(width: Int) -> String { short }
}
