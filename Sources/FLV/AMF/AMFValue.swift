// SPDX-License-Identifier: MIT

public import ApusBytes

/// One value of the Action Message Format, version 0 (Adobe, "AMF 0", 2007).
public indirect enum AMFValue: Hashable, Sendable {
  case number(Double)
  case boolean(Bool)
  case string(AMFText)
  case object(AMFObject)
  case null
  case undefined
  /// An earlier object of the message, by its index.
  case reference(UInt16)
  /// An array with the declared number of members, which encoders set to anything, most often 0.
  case ecmaArray(announced: UInt32, AMFObject)
  case strictArray([AMFValue])
  /// Milliseconds since 1970, UTC, and a time zone that must not be used.
  case date(Double, timeZone: Int16)
  case longString(AMFText)
  case unsupported
  case xmlDocument(AMFText)
  case typedObject(AMFText, AMFObject)
  /// A value in AMF 3 and everything after it, unchanged.
  case amf3([UInt8])

  /// The deepest nesting that is accepted: cameras and servers send no more than four levels.
  public static let maxDepth = 32

  enum Marker {
    static let objectEnd: UInt8 = 9
  }

  /// The byte before the value: AMF 0, 2.1.
  public var marker: UInt8 {
    switch self {
    case .number: 0
    case .boolean: 1
    case .string: 2
    case .object: 3
    case .null: 5
    case .undefined: 6
    case .reference: 7
    case .ecmaArray: 8
    case .strictArray: 10
    case .date: 11
    case .longString: 12
    case .unsupported: 13
    case .xmlDocument: 15
    case .typedObject: 16
    case .amf3: 17
    }
  }

  /// Creates an empty value for a marker; `nil` for 4, 9 and 14, which are reserved or not values.
  private init?(marker: UInt8) {
    switch marker {
    case 0: self = .number(0)
    case 1: self = .boolean(false)
    case 2: self = .string(AMFText())
    case 3: self = .object(AMFObject())
    case 5: self = .null
    case 6: self = .undefined
    case 7: self = .reference(0)
    case 8: self = .ecmaArray(announced: 0, AMFObject())
    case 10: self = .strictArray([])
    case 11: self = .date(0, timeZone: 0)
    case 12: self = .longString(AMFText())
    case 13: self = .unsupported
    case 15: self = .xmlDocument(AMFText())
    case 16: self = .typedObject(AMFText(), AMFObject())
    case 17: self = .amf3([])
    default: return nil
    }
  }
}

extension AMFValue: SyntaxStructure {
  public init() { self = .null }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try syntax(&v, depth: 0)
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, depth: Int) throws(SyntaxError) {
    guard depth < Self.maxDepth else {
      throw v.failure(.limit, "depth", "is beyond the limit of \(Self.maxDepth)")
    }
    try markerSyntax(&v)
    switch self {
    case .number(var value):
      try Self.double("number", &value, &v)
      self = .number(value)
    case .boolean(var value):
      var byte: UInt8 = value ? 1 : 0
      try v.u(8, "boolean", &byte)
      value = byte != 0
      self = .boolean(value)
    case .string(var text):
      try text.syntax(&v, countBits: 16, "string")
      self = .string(text)
    case .object(var object):
      try object.syntax(&v, depth: depth)
      self = .object(object)
    case .null, .undefined, .unsupported: break
    case .reference(var index):
      try v.u(16, "reference", &index)
      self = .reference(index)
    case .ecmaArray(var announced, var object):
      try v.u(32, "associative_count", &announced)
      try object.syntax(&v, depth: depth)
      self = .ecmaArray(announced: announced, object)
    case .strictArray(var values):
      try Self.array(&values, &v, depth: depth)
      self = .strictArray(values)
    case .date(var time, var zone):
      try Self.double("date", &time, &v)
      try v.i(16, "time_zone", &zone)
      self = .date(time, timeZone: zone)
    case .longString(var text):
      try text.syntax(&v, countBits: 32, "string")
      self = .longString(text)
    case .xmlDocument(var text):
      try text.syntax(&v, countBits: 32, "xml")
      self = .xmlDocument(text)
    case .typedObject(var name, var object):
      try name.syntax(&v, countBits: 16, "class_name")
      try object.syntax(&v, depth: depth)
      self = .typedObject(name, object)
    case .amf3(var bytes):
      try v.bytes("avmplus_object", &bytes, count: nil)
      self = .amf3(bytes)
    }
  }

  /// Visits the marker. When reading, the value becomes an empty one of the type that the marker names.
  private mutating func markerSyntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    var marker = self.marker
    try v.u(8, "marker", &marker)
    guard v.isReading else { return }
    guard let blank = AMFValue(marker: marker) else {
      throw v.failure(.invalid, "marker", "is \(marker), which is not a value")
    }
    self = blank
  }

  private static func array<V: SyntaxVisitor>(
    _ values: inout [AMFValue], _ v: inout V, depth: Int
  ) throws(SyntaxError) {
    let count = try v.count(32, "array_count", values.count)
    guard !v.isReading || count <= v.remaining else {
      throw v.failure(.truncated, "array_count", "is \(count), \(v.remaining) bytes are left")
    }
    try v.list("value", &values, count: count) { value, v throws(SyntaxError) in
      try value.syntax(&v, depth: depth + 1)
    }
  }

  private static func double<V: SyntaxVisitor>(
    _ name: StaticString, _ value: inout Double, _ v: inout V
  ) throws(SyntaxError) {
    var bits = value.bitPattern
    try v.u(64, name, &bits, as: .float(64))
    value = Double(bitPattern: bits)
  }
}
