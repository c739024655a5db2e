// SPDX-License-Identifier: MIT

/// A verb with its arguments as they were typed.
struct Invocation<V: Verb> {
  private(set) var verb = V()
  private(set) var common = CommonOptions()

  /// - Parameter words: what was typed after the verb.
  init(_ words: some Sequence<String>) throws(UsageError) {
    let parser = try ArgumentParser(V.arguments, words: words)
    guard !parser.has("help") else {
      // A person who asks for help need not know the operands.
      common.help = true
      return
    }
    var binder = ArgumentBinder(try parser.bound())
    try verb.arguments(&binder)
    try binder.group(&common)
  }
}
