// SPDX-License-Identifier: MIT

/// `apus version`: prints the version, as `apus --version` does.
struct Version: Verb {
  static let name = "version"
  static let summary = "show the version"
  static let examples = [Example("apus version", "Prints the version.")]

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) {}

  func run(_ console: Console) throws -> ExitStatus {
    try console.print("apus \(About.version)")
    return .done
  }
}
