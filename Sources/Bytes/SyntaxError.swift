// SPDX-License-Identifier: MIT

/// What was wrong, in which field, inside which structures, and at which byte.
public struct SyntaxError: Error, Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    /// The input ends before the structure does.
    case truncated
    /// The input contradicts the standard or itself.
    case invalid
    /// The input may be right, but this version or form is not known here.
    case unsupported
    /// A named limit was reached (`Limits`).
    case limit
    /// The input could not be read.
    case io
    /// The caller asked for what cannot be written.
    case misuse
  }

  public var kind: Kind
  public var field: String
  public var path: String
  /// Byte offset in the outermost input; `nil` for what has no place among bytes, such as a folder that cannot be made.
  public var offset: Int?
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

  /// The problem without its place.
  public var message: String { field.isEmpty ? detail : "\(field) \(detail)" }
}
