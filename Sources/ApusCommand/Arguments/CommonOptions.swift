// SPDX-License-Identifier: MIT

/// The options of every verb.
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
      use colours in the output
      Auto uses colours on a terminal unless NO_COLOR is set
      """
    )
    try v.flag("quiet", &quiet, "print only results and errors")
    try v.flag("verbose", short: "v", &verbose, "print details on standard error")
    try v.flag("help", short: "h", &help, "show this help")
  }
}

extension ColorChoice: ArgumentValue {}

extension Console {
  /// - Parameter arguments: the arguments of the verb.
  convenience init(_ options: CommonOptions, of arguments: [Argument]) {
    self.init(
      options.color, quiet: options.quiet, verbose: options.verbose,
      options: Set(arguments.flatMap(\.spellings)))
  }
}
