// SPDX-License-Identifier: MIT

/// A finding about a file: the violated rule, the location, and a description.
public struct Finding: Hashable, Sendable {
  /// The importance of a finding.
  public enum Severity: String, Hashable, Sendable, CaseIterable {
    case error, warning, note
  }

  /// The importance: `error` for violated rules, `warning` for doubtful data, `note` for observations.
  public var severity: Severity
  /// A stable name in kebab case, such as `box-overruns-parent`.
  public var rule: String
  /// The enclosing structures, outermost first: `meta/iprp/ipco/hvcC`.
  public var path: String
  /// The byte offset in the outermost input.
  public var offset: Int
  /// The description, without the location.
  public var message: String

  public init(_ severity: Severity, rule: String, path: String, offset: Int, message: String) {
    self.severity = severity
    self.rule = rule
    self.path = path
    self.offset = offset
    self.message = message
  }
}
