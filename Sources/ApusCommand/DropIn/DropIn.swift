// SPDX-License-Identifier: MIT

/// A program of libheif in whose place `apus` stands: called by its name, it takes its options and answers in its form.
///
/// Options are declared as those of verbs are, and become the same requests. They are those that other programs use.
protocol DropIn: SendableMetatype {
  /// The names that it is called by.
  static var names: [String] { get }
  /// One line, lower case, no full stop.
  static var summary: String { get }
  /// The differences from the program of that name, in paragraphs separated by empty lines.
  static var discussion: String { get }
  /// The exit status for an invalid command line.
  static var usageStatus: Int32 { get }

  init()
  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError)

  /// Does the job. A thrown `UsageError` ends with `usageStatus`, any other error with 1 and its description; after
  /// `console.fail` the status is 1.
  func run(_ console: Console) throws
}

extension DropIn {
  static var usageStatus: Int32 { 5 }

  /// Every argument, those of all programs last.
  static var arguments: [Argument] {
    var program = Self()
    var common = DropInOptions()
    return ArgumentLister.arguments { lister throws(UsageError) in
      try program.arguments(&lister)
      try lister.group(&common)
    }
  }
}

/// Every program that `apus` stands in for.
let dropIns: [any DropIn.Type] = [
  HeifConvert.self, HeifEnc.self, HeifThumbnailer.self,
]

/// The options of all these programs.
struct DropInOptions: ArgumentGroup {
  static let heading = "Common options"

  var help = false
  var version = false

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.flag("help", short: "h", &help, "show this help")
    // Without a letter: -v is --verbose up to libheif 1.17, and --version since.
    try v.flag("version", &version, "show the version")
  }
}
