// SPDX-License-Identifier: MIT

import Testing

@testable import ApusCommand

/// What must hold for every verb, those that are yet to come included.
struct VerbTableTests {
  @Test(arguments: verbs.map { $0.name })
  func `it declares what help needs`(_ name: String) throws {
    let verb = try Command.verb(named: name)
    #expect(!verb.examples.isEmpty)
    #expect(!verb.summary.hasSuffix("."))
    #expect(verb.summary.prefix(1).lowercased() == verb.summary.prefix(1))
    let spellings = verb.arguments.flatMap(\.spellings)
    #expect(Set(spellings).count == spellings.count, "an option is declared twice")
    for argument in verb.arguments {
      #expect(!argument.brief.isEmpty && !argument.brief.hasSuffix("."))
      #expect(!argument.help.hasSuffix("."))
      #expect(argument.long == argument.long.lowercased())
    }
    // Dealing out the operands knows one that takes any number.
    #expect(verb.arguments.operands.count(where: \.isRepeatable) < 2)
  }

  @Test(arguments: verbs.map { $0.name })
  func `it shows every option in its help`(_ name: String) throws {
    let (help, status) = try bash("apus \(name) --help")
    #expect(status == 0)
    let verb = try Command.verb(named: name)
    for argument in verb.arguments {
      let label = argument.label.drop { $0 == " " }
      #expect(help.contains(label))
    }
    for example in verb.examples.prefix(HelpPage.examples) {
      #expect(help.contains(example.command))
    }
    for width in [40, 80, 100] {
      let lines = try bash("COLUMNS=\(width) apus \(name) --help").output.split(separator: "\n")
      let free = lines.filter { !$0.hasPrefix("  apus ") && !$0.hasPrefix("Usage:") }
      #expect(free.allSatisfy { $0.count <= width || !$0.dropFirst(width / 2).contains(" ") })
    }
    #expect(try bash("apus help \(name)").output == help)
  }

  @Test(arguments: verbs.map { $0.name })
  func `it explains every option in one line, after the examples`(_ name: String) throws {
    let arguments = try Command.verb(named: name).arguments
    for argument in arguments {
      #expect(argument.line.count <= Argument.lineLength, "\(argument.line)")
    }
    let lines = try bash("COLUMNS=100 apus \(name) --help").output.split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 106)
    let examples = try #require(lines.firstIndex(of: "Examples:"))
    let titles = ["Operands"] + arguments.groups.map(\.heading)
    let options = try #require(lines.firstIndex { titles.contains(String($0.dropLast())) })
    #expect(examples < options)
    #expect(!lines.contains(":"), "a section has no title")
  }

  @Test func `it explains convert on two screens of 50 lines`() throws {
    let help = try bash("COLUMNS=100 apus convert --help").output
    #expect(help.split(separator: "\n", omittingEmptySubsequences: false).count <= 100)
  }

  @Test(arguments: verbs.map { $0.name })
  func `it parses its own examples`(_ name: String) throws {
    for example in try Command.verb(named: name).examples {
      let words = example.command.split(separator: " ").map(String.init)
      let own = words.drop { $0 != "apus" && $0 != "<(apus" }.dropFirst().prefix { word in
        !["|", ">", "&&", "<", "2>"].contains(word)
      }.map { $0.hasSuffix(")") ? String($0.dropLast()) : $0 }
      let count = name.split(separator: " ").count
      #expect(own.prefix(count).joined(separator: " ") == name)
      func check<V: Verb>(_ verb: V.Type) throws { _ = try V.parsed(own.dropFirst(count)) }
      try check(Command.verb(named: name))
    }
  }

  @Test func `it suggests the verb that was meant`() throws {
    #expect(throws: UsageError("unknown verb hlep; did you mean help?")) {
      try Command.verb(named: "hlep")
    }
    #expect(throws: UsageError("unknown verb frobnicate")) {
      try Command.verb(named: "frobnicate")
    }
  }
}
