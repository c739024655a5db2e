// SPDX-License-Identifier: MIT

import ApusJSON

/// Encodes the stored properties of a value as JSON, for another process of this program.
final class MessageEncoder: Encoder, SingleValueEncodingContainer {
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  /// The value, except for the elements of an array and the members of an object.
  private var value = JSONValue.null
  private var parts: [(name: String, encoder: MessageEncoder)] = []

  static func json(of value: some Encodable) throws -> JSONValue {
    let encoder = MessageEncoder()
    try encoder.encode(value)
    return encoder.json
  }

  private var json: JSONValue {
    switch value {
    case .array: .array(parts.map(\.encoder.json))
    case .object: .object(parts.map { JSONValue.Member($0.name, $0.encoder.json) })
    default: value
    }
  }

  func encodeNil() { value = .null }

  func encode<Value: Encodable>(_ value: Value) throws {
    switch value {
    case let truth as Bool: self.value = .truth(truth)
    case let text as String: self.value = .text(text)
    // Exact, also for numbers that JSON does not have.
    case let number as Double: self.value = .number("\(number.bitPattern)")
    case let number as any FixedWidthInteger: self.value = .number("\(number)")
    default: try value.encode(to: self)
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    value = .object([])
    return KeyedEncodingContainer(Members(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    value = .array([])
    return Elements(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  private func add(_ name: String = "") -> MessageEncoder {
    parts.append((name, MessageEncoder()))
    return parts[parts.count - 1].encoder
  }

  private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: MessageEncoder
    let codingPath: [any CodingKey] = []

    private func add(_ key: Key) -> MessageEncoder { encoder.add(key.stringValue) }

    func encodeNil(forKey key: Key) { add(key).encodeNil() }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
      try add(key).encode(value)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key)
      -> KeyedEncodingContainer<Nested>
    { add(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      add(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.add("super") }
    func superEncoder(forKey key: Key) -> any Encoder { add(key) }
  }

  private struct Elements: UnkeyedEncodingContainer {
    let encoder: MessageEncoder
    let codingPath: [any CodingKey] = []
    var count: Int { encoder.parts.count }

    func encodeNil() { encoder.add().encodeNil() }
    func encode<Value: Encodable>(_ value: Value) throws { try encoder.add().encode(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type)
      -> KeyedEncodingContainer<Nested>
    { encoder.add().container(keyedBy: type) }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      encoder.add().unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.add() }
  }
}
