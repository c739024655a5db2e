// SPDX-License-Identifier: MIT

/// Collects the declared arguments for help, completions, the manual and the parser.
struct ArgumentLister: ArgumentVisitor {
  var heading = "Options"
  private(set) var arguments: [Argument] = []

  mutating func visit(_ argument: Argument, assign: (String) throws(Expectation) -> Void) {
    var argument = argument
    argument.group = heading
    arguments.append(argument)
  }

  /// Every argument of a declaration. If several have the same letter, the first keeps it.
  static func arguments(
    _ declare: (inout ArgumentLister) throws(UsageError) -> Void
  ) -> [Argument] {
    var lister = ArgumentLister()
    // Listing takes no value, so no value can be refused.
    do throws(UsageError) { try declare(&lister) } catch {}
    var letters: Set<Character> = []
    return lister.arguments.map { argument in
      var argument = argument
      if let short = argument.short, !letters.insert(short).inserted { argument.short = nil }
      return argument
    }
  }
}
