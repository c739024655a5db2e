// SPDX-License-Identifier: MIT

import ApusJSON

/// Decodes a value from the JSON of `MessageEncoder`. The JSON may come from a process that a broken photo has taken
/// over.
struct MessageDecoder: Decoder, SingleValueDecodingContainer {
  let json: JSONValue
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func decodeNil() -> Bool { json == .null }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let found: Any? =
      switch type {
      case is Bool.Type: json.truth
      case is String.Type: json.text
      case is Double.Type: integer(UInt64.self).map(Double.init(bitPattern:))
      case let type as any FixedWidthInteger.Type: integer(type)
      default: try type.init(from: self)
      }
    guard let value = found as? Value else { throw failure("is not of type \(type)") }
    return value
  }

  private func integer<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    if case .number(let digits) = json { Number(digits) } else { nil }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object = json else { throw failure("is not an object") }
    return KeyedDecodingContainer(Members(object: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = json else { throw failure("is not an array") }
    return Elements(elements: elements)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  private func failure(_ text: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: text))
  }

  private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let object: MessageDecoder
    let codingPath: [any CodingKey] = []

    var allKeys: [Key] {
      guard case .object(let members) = object.json else { return [] }
      return members.compactMap { Key(stringValue: $0.name) }
    }

    func contains(_ key: Key) -> Bool { object.json[key.stringValue] != nil }

    private func member(_ name: String) throws -> MessageDecoder {
      guard let value = object.json[name] else { throw object.failure("has no \(name)") }
      return MessageDecoder(json: value)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try member(key.stringValue).decodeNil() }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try member(key.stringValue).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
      -> KeyedDecodingContainer<Nested>
    { try member(key.stringValue).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try member(key.stringValue).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try member("super") }
    func superDecoder(forKey key: Key) throws -> any Decoder { try member(key.stringValue) }
  }

  private struct Elements: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    let codingPath: [any CodingKey] = []
    private(set) var currentIndex = 0

    init(elements: [JSONValue]) { self.elements = elements }

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    private mutating func next() throws -> MessageDecoder {
      guard !isAtEnd else { throw MessageDecoder(json: .null).failure("has no further element") }
      currentIndex += 1
      return MessageDecoder(json: elements[currentIndex - 1])
    }

    mutating func decodeNil() throws -> Bool {
      guard !isAtEnd, elements[currentIndex] == .null else { return false }
      return try next().decodeNil()
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try next().decode(type)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws
      -> KeyedDecodingContainer<Nested>
    { try next().container(keyedBy: type) }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try next().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try next() }
  }
}
