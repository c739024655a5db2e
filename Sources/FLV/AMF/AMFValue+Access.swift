// SPDX-License-Identifier: MIT

/// Access to the contents of values of a certain type.
extension AMFValue {
  /// The number; `nil` for other values.
  public var number: Double? {
    if case .number(let value) = self { value } else { nil }
  }

  /// The number truncated to an integer; `nil` if it does not fit. Safe for any value that a peer sends.
  public var integer: Int? { number.flatMap { Int(exactly: $0.rounded(.towardZero)) } }

  /// The Boolean; `nil` for other values.
  public var boolean: Bool? {
    if case .boolean(let value) = self { value } else { nil }
  }

  /// The characters of a string, short or long.
  public var text: String? {
    switch self {
    case .string(let text), .longString(let text): text.description
    default: nil
    }
  }

  /// The named members: encoders use objects and ECMA arrays interchangeably.
  public var members: AMFObject? {
    switch self {
    case .object(let object), .ecmaArray(_, let object), .typedObject(_, let object): object
    default: nil
    }
  }

  /// The elements of a strict array; `nil` for other values.
  public var values: [AMFValue]? {
    if case .strictArray(let values) = self { values } else { nil }
  }

  /// The value of the first member with this name; `nil` if there is none or this is no object.
  public subscript(name: String) -> AMFValue? { members?[name] }

  /// Whether the value extends to the end of the message, because it contains AMF 3.
  var runsToTheEnd: Bool {
    switch self {
    case .amf3: true
    case .strictArray(let values): values.contains(where: \.runsToTheEnd)
    default: members?.members.contains(where: \.value.runsToTheEnd) ?? false
    }
  }
}

/// Ways to create values.
extension AMFValue {
  /// Returns an object with these members: `.object([("app", "live")])`.
  public static func object(_ members: [(String, AMFValue)]) -> AMFValue {
    .object(AMFObject(members))
  }

  /// Returns an array that declares the number of members that it has.
  public static func ecmaArray(_ object: AMFObject) -> AMFValue {
    .ecmaArray(announced: UInt32(clamping: object.members.count), object)
  }

  /// Returns a string in the form that its length requires.
  public static func text(_ text: String) -> AMFValue {
    let characters = AMFText(text)
    return characters.bytes.count > UInt16.max ? .longString(characters) : .string(characters)
  }
}

extension AMFValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral
{
  public init(stringLiteral text: String) { self = .text(text) }
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}
