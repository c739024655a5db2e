// SPDX-License-Identifier: MIT

import ApusFiles
import Glibc

/// The command, called by the name of a program that it stands in for.
struct DropInCall {
  private let program: any DropIn.Type
  private let name: String

  /// Returns `nil` where the command was called by another name, such as its own.
  ///
  /// - Parameter path: the first word of the command line.
  init?(_ path: String) {
    let name = String(path.lastName)
    guard let program = dropIns.first(where: { $0.names.contains(name) }) else { return nil }
    (self.program, self.name) = (program, name)
  }

  /// Does the job and returns the exit status.
  func run(_ words: some Sequence<String>) -> Int32 { run(program, words) }

  private func run<Program: DropIn>(_ type: Program.Type, _ words: some Sequence<String>) -> Int32 {
    let console = Console(name: name)
    do {
      let parser = try ArgumentParser(type.arguments, words: words, abbreviates: true)
      if parser.has("help") {
        try console.write(help(type, console))
      } else if parser.has("version") {
        try console.print("\(name): apus \(About.version), in the place of libheif's \(name)")
      } else {
        var binder = ArgumentBinder(try parser.bound())
        var program = Program()
        try program.arguments(&binder)
        do {
          try program.run(console)
        } catch {
          // What was printed before it failed is printed all the same.
          try console.output.flush()
          throw error
        }
      }
      try console.output.flush()
    } catch let error as UsageError {
      console.say(error.message)
      console.say("see \(name) --help")
      return type.usageStatus
    } catch let error as DropInFailure {
      console.fail(error.description)
      return error.status
    } catch {
      console.fail("\(error)")
    }
    return console.failures > 0 ? 1 : 0
  }

  private func help<Program: DropIn>(_ type: Program.Type, _ console: Console) -> String {
    HelpPage(
      command: name, type.arguments, summary: type.summary, discussion: type.discussion,
      statuses: [
        ("0", "all was done"), ("1", "something failed; standard error says what"),
        ("\(type.usageStatus)", "the command line is wrong; nothing was done"),
      ].reduce(into: [(String, String)]()) { rows, row in
        if let index = rows.firstIndex(where: { $0.0 == row.0 }) {
          rows[index].1 += ", or " + row.1
        } else {
          rows.append(row)
        }
      }, console
    ).text
  }
}
