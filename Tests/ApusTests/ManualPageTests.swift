// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import ApusCommand

struct ManualPageTests {
  @Test(.enabled(if: isInstalled("groff")), arguments: ["utf8", "ascii"])
  func `it renders without warnings`(_ device: String) throws {
    let (output, _) = try bash(
      """
      { echo; apus man --list; } | while read -r verb; do
        apus man $verb | groff -man -ww -b -z -T\(device) 2>&1
      done
      """)
    #expect(output == "")
  }

  @Test(.enabled(if: isInstalled("man")), arguments: HelpTopic.names)
  func `it holds what help holds`(_ name: String) throws {
    let (page, _) = try bash(
      "apus man \(name) | MAN_KEEP_FORMATTING= MANWIDTH=1000 LC_ALL=C.UTF-8 man -l - 2>&1")
    let title = name.uppercased().split(separator: " ").joined(separator: "-")
    #expect(page.hasPrefix("APUS-\(title)(1)"))
    let verbs = try HelpTopic(name.split(separator: " ").map(String.init)).verbs
    for verb in verbs where verb.name == name {
      for argument in verb.arguments {
        for spelling in argument.spellings { #expect(page.contains(spelling)) }
        #expect(page.contains(argument.description))
      }
      for example in verb.examples { #expect(page.contains(example.command)) }
    }
    for verb in verbs { #expect(page.contains(verb.summary.sentence)) }
  }

  @Test(.enabled(if: isInstalled("man")))
  func `it names every verb in the overview`() throws {
    let (page, _) = try bash("apus man | MAN_KEEP_FORMATTING= MANWIDTH=1000 man -l - 2>&1")
    #expect(page.hasPrefix("APUS(1)"))
    for verb in verbs { #expect(page.contains("apus \(verb.name)")) }
  }
}

extension HelpTopic {
  fileprivate var verbs: [any Verb.Type] {
    switch self {
    case .overview: ApusCommand.verbs
    case .group(let group): group.verbs
    case .verb(let verb): [verb]
    }
  }
}
