// SPDX-License-Identifier: MIT

import Testing

@testable import apus

struct ManualPageTests {
  @Test(.enabled(if: has("groff")), arguments: ["utf8", "ascii"])
  func rendersWithoutWarnings(_ device: String) throws {
    let (output, _) = try bash("apus man | groff -man -ww -b -z -T\(device) 2>&1")
    #expect(output == "")
  }

  @Test(.enabled(if: has("man")), arguments: verbs.map { $0.name })
  func holdsWhatHelpHolds(_ name: String) throws {
    let verb = try Command.verb(named: name)
    let (page, _) = try bash(
      "apus man | MAN_KEEP_FORMATTING= MANWIDTH=1000 LC_ALL=C.UTF-8 man -l - 2>&1")
    #expect(page.contains("APUS \(name.uppercased())"))
    for argument in verb.arguments {
      for spelling in argument.spellings { #expect(page.contains(spelling)) }
      #expect(page.contains(argument.description.sentence))
    }
    for example in verb.examples { #expect(page.contains(example.command)) }
  }
}
