// SPDX-License-Identifier: MIT

/// A value of JSON: RFC 8259.
public indirect enum JSONValue: Hashable, Sendable {
  case null
  case truth(Bool)
  /// A number as it is written: what it is read as decides how exact it must be.
  case number(String)
  case text(String)
  case array([JSONValue])
  /// An object, with its members in the order of the document; no name occurs twice.
  case object([Member])

  public struct Member: Hashable, Sendable {
    public var name: String
    public var value: JSONValue

    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// What a message calls it.
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

  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  public var text: String? { if case .text(let text) = self { text } else { nil } }
  public var truth: Bool? { if case .truth(let truth) = self { truth } else { nil } }
  /// The whole number; `nil` for anything else and for what does not fit, fractions of zero included.
  public var integer: Int? { if case .number(let digits) = self { Int(digits) } else { nil } }
  /// The finite number nearest to this one; `nil` for what none comes near.
  public var double: Double? {
    guard case .number(let digits) = self, let value = Double(digits), value.isFinite else {
      return nil
    }
    return value
  }
}

/// Why a document is no JSON.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  public var message: String
  /// The byte that it stopped at.
  public var offset: Int

  public init(message: String, offset: Int) {
    self.message = message
    self.offset = offset
  }

  public var description: String { "\(message), at byte \(offset)" }
}
