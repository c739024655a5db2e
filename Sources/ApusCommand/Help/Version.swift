// SPDX-License-Identifier: MIT

/// `apus version`: what `apus --version` prints.
struct Version: Verb {
  static let name = "version"
  static let summary = "show the version"
  static let examples = [Example("apus version", "Prints the name and the version.")]

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) {}

  func run(_ console: Console) throws -> ExitStatus {
    try console.print("apus \(About.version)")
    return .done
  }
}
