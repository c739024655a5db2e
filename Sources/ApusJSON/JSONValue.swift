// SPDX-License-Identifier: MIT

/// A value of JSON: RFC 8259.
public indirect enum JSONValue: Hashable, Sendable {
  case null
  case truth(Bool)
  /// A number as text; its precision is determined by the type that it is converted to.
  case number(String)
  case text(String)
  case array([JSONValue])
  /// An object, with its members in document order; names are unique.
  case object([Member])

  /// A member of an object.
  public struct Member: Hashable, Sendable {
    /// The name, with escapes resolved.
    public var name: String
    /// The value of any kind.
    public var value: JSONValue

    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The name of the kind in messages.
  public var kind: String {
    switch self {
    case .null: "null"
    case .truth: "true or false"
    case .number: "a number"
    case .text: "text"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// The value of the member with a name; `nil` if it is absent, or this is not an object.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text, with escapes resolved; `nil` for other values.
  public var text: String? { if case .text(let text) = self { text } else { nil } }
  /// The truth value; `nil` for other values.
  public var truth: Bool? { if case .truth(let truth) = self { truth } else { nil } }
  /// The number as an integer; `nil` for other values and for numbers that are not representable, including fractions
  /// of zero.
  public var integer: Int? { if case .number(let digits) = self { Int(digits) } else { nil } }
  /// The nearest finite number; `nil` if there is none.
  public var double: Double? {
    guard case .number(let digits) = self, let value = Double(digits), value.isFinite else {
      return nil
    }
    return value
  }
}

/// The reason why a document is not valid JSON.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason, without the position.
  public var message: String
  /// The byte at which reading stopped.
  public var offset: Int

  public init(message: String, offset: Int) {
    self.message = message
    self.offset = offset
  }

  public var description: String { "\(message), at byte \(offset)" }
}
