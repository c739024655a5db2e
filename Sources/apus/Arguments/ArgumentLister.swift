// SPDX-License-Identifier: MIT

/// Gathers what is declared: help, completions, the manual and the parser start from its list.
struct ArgumentLister: ArgumentVisitor {
  var heading = "Options"
  private(set) var arguments: [Argument] = []

  mutating func visit(_ argument: Argument, assign: (String) throws(Expectation) -> Void) {
    var argument = argument
    argument.group = heading
    arguments.append(argument)
  }
}
