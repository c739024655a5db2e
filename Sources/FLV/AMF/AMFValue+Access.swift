// SPDX-License-Identifier: MIT

/// What a value holds, where it holds that.
extension AMFValue {
  public var number: Double? {
    if case .number(let value) = self { value } else { nil }
  }

  /// A number that is whole and fits; never a trap on what a peer sent.
  public var integer: Int? { number.flatMap { Int(exactly: $0.rounded(.towardZero)) } }

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

  /// The members of whatever has names: encoders use objects and ECMA arrays as they please.
  public var members: AMFObject? {
    switch self {
    case .object(let object), .ecmaArray(_, let object), .typedObject(_, let object): object
    default: nil
    }
  }

  public var values: [AMFValue]? {
    if case .strictArray(let values) = self { values } else { nil }
  }

  public subscript(name: String) -> AMFValue? { members?[name] }

  /// Whether the value ends with everything else, because AMF 3 is in it.
  var runsToTheEnd: Bool {
    switch self {
    case .amf3: true
    case .strictArray(let values): values.contains(where: \.runsToTheEnd)
    default: members?.members.contains(where: \.value.runsToTheEnd) ?? false
    }
  }
}

/// How values are made.
extension AMFValue {
  /// Returns an object with these members: `.object([("app", "live")])`.
  public static func object(_ members: [(String, AMFValue)]) -> AMFValue {
    .object(AMFObject(members))
  }

  /// Returns an array that announces the number of members that it has.
  public static func ecmaArray(_ object: AMFObject) -> AMFValue {
    .ecmaArray(announced: UInt32(clamping: object.members.count), object)
  }

  /// Returns a string in the form that its length asks for.
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
