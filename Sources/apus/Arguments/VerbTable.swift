// SPDX-License-Identifier: MIT

/// Every verb of the command, in the order in which help shows them.
let verbs: [any Verb.Type] = [
  Inspect.self, Edit.self, Help.self, Completions.self, Man.self, Version.self,
]
