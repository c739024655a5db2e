// SPDX-License-Identifier: MIT

/// An error in an input, with the field, the enclosing structures, and the byte offset.
public struct SyntaxError: Error, Hashable, Sendable {
  /// The class of a problem. Minor versions may add kinds, so a `switch` needs a `default`.
  public enum Kind: String, Hashable, Sendable {
    /// The input ends before the structure does.
    case truncated
    /// The input contradicts the standard or itself.
    case invalid
    /// The input may be valid, but its version or form is not supported.
    case unsupported
    /// A named limit was reached (`Limits`).
    case limit
    /// The input could not be read.
    case io
    /// The caller requested something that cannot be written.
    case misuse
  }

  /// The class of the problem.
  public var kind: Kind
  /// The name of the field in the standard, or of what was read; empty if the detail is a complete sentence.
  public var field: String
  /// The enclosing structures, outermost first, such as `meta/iprp/ipco`; empty if unknown.
  public var path: String
  /// The byte offset in the outermost input; `nil` for errors without a position, such as a folder that cannot be
  /// created.
  public var offset: Int?
  /// The problem, as a phrase that follows the field: in lower case, without a full stop.
  public var detail: String

  public init(_ kind: Kind, field: String, path: String = "", offset: Int? = nil, detail: String) {
    self.kind = kind
    self.field = field
    self.path = path
    self.offset = offset
    self.detail = detail
  }
}

extension SyntaxError: CustomStringConvertible {
  public var description: String {
    let place = [path, offset.map { "at byte \($0)" } ?? ""].filter { !$0.isEmpty }
    return place.isEmpty ? message : place.joined(separator: " ") + ": " + message
  }

  /// The problem without its location.
  public var message: String { field.isEmpty ? detail : "\(field) \(detail)" }
}
