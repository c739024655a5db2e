// SPDX-License-Identifier: MIT

/// What every verb understands.
struct CommonOptions: ArgumentGroup {
  static let heading = "Common options"

  var color = ColorChoice.auto
  var quiet = false
  var verbose = false
  var help = false

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "color", "WHEN", &color,
      """
      colour the output
      Auto colours it on a terminal, unless NO_COLOR is set
      """
    )
    try v.flag("quiet", &quiet, "print nothing but errors")
    try v.flag("verbose", short: "v", &verbose, "say more on standard error")
    try v.flag("help", short: "h", &help, "show this help")
  }
}

extension ColorChoice: ArgumentValue {}

extension Console {
  /// - Parameter arguments: those of the verb that speaks.
  convenience init(_ options: CommonOptions, of arguments: [Argument]) {
    self.init(
      options.color, quiet: options.quiet, verbose: options.verbose,
      options: Set(arguments.flatMap(\.spellings)))
  }
}
