// SPDX-License-Identifier: MIT

public import ApusBytes

/// Named values in order: the body of an object, a typed object or an ECMA array (AMF 0, 2.5, 2.10, 2.18).
public struct AMFObject: Blank, Hashable, Sendable {
  /// A named value.
  public struct Member: Blank, Hashable, Sendable {
    /// The name; the first of several members with the same name counts.
    public var name = AMFText()
    /// The value.
    public var value = AMFValue.null

    public init() {}
    public init(_ name: AMFText, _ value: AMFValue) {
      self.name = name
      self.value = value
    }
  }

  public var members: [Member] = []
  /// Whether the object is terminated; some encoders end the message without that.
  public var isEnded = true

  public init() {}
  /// Creates a terminated object with these members in order.
  public init(_ members: [(String, AMFValue)]) {
    self.members = members.map { Member(AMFText($0.0), $0.1) }
  }

  /// The value of the first member of this name; setting replaces it in place, adds it, or removes it.
  public subscript(name: String) -> AMFValue? {
    get {
      let bytes = Array(name.utf8)
      return members.first { $0.name.bytes == bytes }?.value
    }
    set {
      let bytes = Array(name.utf8)
      let index = members.firstIndex { $0.name.bytes == bytes }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(AMFText(bytes: bytes), value))
      case (nil, nil): break
      }
    }
  }

  /// Visits the members up to an empty name and the marker `object-end`, which close the object.
  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, depth: Int) throws(SyntaxError) {
    if v.isReading { self = AMFObject() }
    var index = 0
    while try hasMember(at: index, &v) {
      // One by one, because their number is not stored.
      var one = v.isReading ? [] : [members[index]]
      try v.list("property", &one, count: 1) { member, v throws(SyntaxError) in
        try member.name.syntax(&v, countBits: 16, "name")
        try member.value.syntax(&v, depth: depth + 1)
      }
      if v.isReading { members += one } else if v.isAssigning { members[index] = one[0] }
      index += 1
    }
    if isEnded {
      var length: UInt16 = 0
      var marker = AMFValue.Marker.objectEnd
      try v.u(16, "length", &length)
      try v.u(8, "object_end_marker", &marker)
    }
  }

  private mutating func hasMember<V: SyntaxVisitor>(at index: Int, _ v: inout V)
    throws(SyntaxError) -> Bool
  {
    guard v.isReading else { return index < members.count }
    isEnded = try v.peek(3) == [0, 0, AMFValue.Marker.objectEnd]
    return !isEnded && v.remaining > 0
  }
}
