// SPDX-License-Identifier: MIT

import ApusBytes
import Testing

@testable import ApusCommand

/// A verb that has one argument of each kind.
private struct Sample: Verb {
  static let name = "sample"
  static let summary = "serve the tests"
  static let examples: [Example] = []

  enum Mode: String, CaseIterable, ArgumentValue { case fast, slow }

  var all = false
  var brief = false
  var depth: Int?
  var size: UInt = 5
  var mode = Mode.fast
  var names: [String] = []
  var input = ""
  var rest: [String] = []
  var output: String?

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.operand("IN", &input, "the input")
    try v.operands("MORE", &rest, required: false, "more inputs")
    try v.flag("all", short: "a", &all, "take all")
    try v.flag("brief", short: "b", &brief, "say less")
    try v.option("depth", short: "d", "N", &depth, "levels")
    try v.option("size", "N", &size, "size")
    try v.option("mode", "MODE", &mode, "mode")
    try v.option("name", short: "n", "NAME", &names, "a name")
    try v.option("output", short: "o", "OUT", &output, "the output")
  }

  func run(_ console: Console) -> ApusCommand.ExitStatus { .done }

  var text: String {
    "all=\(all) brief=\(brief) depth=\(depth.map(String.init) ?? "-") size=\(size) mode=\(mode) "
      + "names=\(names) in=\(input) rest=\(rest) out=\(output ?? "-")"
  }
}

struct ArgumentParserTests {
  @Test(arguments: [
    (["x"], ["in=x", "all=false", "depth=-", "size=5", "mode=fast", "rest=[]"]),
    (["-a", "x"], ["all=true", "brief=false", "in=x"]),
    (["x", "-ab"], ["all=true", "brief=true", "in=x"]),
    (["x", "--all", "y", "z"], ["all=true", #"rest=["y", "z"]"#]),
    (["-d3", "x"], ["depth=3", "in=x"]),
    (["-d", "3", "x"], ["depth=3", "in=x"]),
    (["-abd3", "x"], ["all=true", "brief=true", "depth=3"]),
    (["-abd", "3", "x"], ["brief=true", "depth=3", "in=x"]),
    (["-d-3", "x"], ["depth=-3"]),
    (["--depth=-3", "x"], ["depth=-3"]),
    (["--depth", "-3", "x"], ["depth=-3"]),
    (["--depth=0x10", "x"], ["depth=16"]),
    (["--depth=1", "x", "--depth=2"], ["depth=2"]),
    (["--size", "0", "x"], ["size=0"]),
    (["--mode=slow", "x"], ["mode=slow"]),
    (["-na", "--name=b=c", "--name", "", "x"], [#"names=["a", "b=c", ""]"#]),
    (["--output=", "x"], ["out= "]),
    (["-o", "-", "-"], ["out=-", "in=-"]),
    (["-o", "--", "x"], ["out=--", "in=x"]),
    (["--", "-a"], ["all=false", "in=-a"]),
    (["x", "--", "--depth", "--"], ["depth=-", #"rest=["--depth", "--"]"#]),
    (["", "y"], ["in= ", #"rest=["y"]"#]),
    (["-n", "ä ö", "ü"], [#"names=["ä ö"]"#, "in=ü"]),
  ])
  func `it reads what was typed`(_ words: [String], _ expected: [String]) throws {
    let text = try Sample.parsed(words).verb.text + " "
    for part in expected { #expect(text.contains(part)) }
  }

  @Test(arguments: [
    ([], "IN is missing"),
    (["--"], "IN is missing"),
    (["x", "--al"], "unknown option --al; did you mean --all?"),
    (["x", "--dpeth=3"], "unknown option --dpeth; did you mean --depth?"),
    (["x", "--frobnicate"], "unknown option --frobnicate"),
    (["x", "-x"], "unknown option -x"),
    (["x", "-ax"], "unknown option -x (in -ax)"),
    (["x", "--all=yes"], "--all takes no value"),
    (["x", "--all="], "--all takes no value"),
    (["x", "--depth"], "--depth needs a value: --depth N"),
    (["x", "-d"], "-d needs a value: -d N"),
    (["x", "-abd"], "-d needs a value: -d N"),
    (["x", "-dx"], "-d is \"x\", expected a whole number"),
    (["x", "--depth="], "--depth is \"\", expected a whole number"),
    (
      ["x", "--depth=99999999999999999999"],
      "--depth is \"99999999999999999999\", expected a whole number"
    ),
    (["x", "--depth=0x"], "--depth is \"0x\", expected a whole number"),
    (["x", "--size=-1"], "--size is \"-1\", expected a whole number, 0 or more"),
    (["x", "--mode=slwo"], "--mode is \"slwo\", expected one of fast, slow; did you mean slow?"),
    (["x", "--mode=none"], "--mode is \"none\", expected one of fast, slow"),
    (["x", "--color=red"], "--color is \"red\", expected one of auto, always, never"),
  ])
  func `it refuses`(_ words: [String], _ message: String) {
    #expect(throws: UsageError(message)) { try Sample.parsed(words) }
  }

  @Test func `it refuses operands that nobody takes`() {
    #expect(throws: UsageError("unexpected operand \"y\"")) {
      try Completions.parsed(["bash", "y"])
    }
  }

  @Test func `it asks for help whatever else is missing`() throws {
    #expect(try Sample.parsed(["--help"]).common.help)
    #expect(try Sample.parsed(["-ah"]).common.help)
    #expect(try !Sample.parsed(["--", "--help"]).common.help)
  }

  @Test func `it sets limits by name`() throws {
    var options = LimitOptions()
    var binder = ArgumentBinder([
      [.init(spelling: "--limit", text: "depth=9"), .init(spelling: "--limit", text: "bytes=0x10")]
    ])
    try options.arguments(&binder)
    #expect(options.limits.depth == 9)
    #expect(options.limits.bytes == 16)
    for text in ["depth", "depth=", "depth=0", "depth=x", "deep=3", "=3", ""] {
      var binder = ArgumentBinder([[.init(spelling: "--limit", text: text)]])
      #expect(throws: UsageError.self) { try options.arguments(&binder) }
    }
  }
}
