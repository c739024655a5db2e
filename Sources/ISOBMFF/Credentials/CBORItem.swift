// SPDX-License-Identifier: MIT

public import ApusBytes

/// A data item of CBOR: RFC 8949, 3.
public struct CBORItem: SyntaxStructure {
  /// The kind: 0 and 1 for numbers, 2 for bytes, 3 for text, 4 for arrays, 5 for maps, 6 for tags, 7 for other values.
  public var majorType: UInt8 = 0
  /// The argument, the size of it, or 31 for contents that end with a break.
  public var additionalInformation: UInt8 = 0
  public var argument: UInt64 = 0
  /// The contents of bytes and text.
  public var bytes: [UInt8] = []
  /// The items of an array, keys and values of a map in turn, the tagged item, or the parts of bytes and text.
  public var items: [CBORItem] = []

  /// The maximum depth of items that are read.
  private static let deepest = 32

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try syntax(&v, depth: 0)
  }

  private mutating func syntax<V: SyntaxVisitor>(_ v: inout V, depth: Int) throws(SyntaxError) {
    try v.u(3, "major_type", &majorType)
    try v.u(5, "additional_information", &additionalInformation)
    guard depth < Self.deepest else {
      throw v.failure(.limit, "items", "are nested more than \(Self.deepest) deep")
    }
    switch additionalInformation {
    case 0..<24: if v.isReading { argument = UInt64(additionalInformation) }
    case 24...27: try v.u(8 << Int(additionalInformation - 24), "argument", &argument)
    case 31 where majorType >= 2 && majorType != 6: break
    default: throw v.failure(.invalid, "additional_information", "is \(additionalInformation)")
    }
    switch majorType {
    case 2, 3:
      if isIndefinite { return try visitItems(&v, count: nil, depth) }
      try v.bytes("string", &bytes, count: count, majorType == 3 ? .text : .bytes)
    case 4: try visitItems(&v, count: isIndefinite ? nil : count, depth)
    case 5:
      let (doubled, isTooMany) = count.multipliedReportingOverflow(by: 2)
      try visitItems(&v, count: isIndefinite ? nil : isTooMany ? .max : doubled, depth)
    case 6: try visitItems(&v, count: 1, depth)
    default: break
    }
  }

  private var isIndefinite: Bool { additionalInformation == 31 }
  private var isBreak: Bool { majorType == 7 && isIndefinite }
  private var count: Int { Int(clamping: argument) }

  private mutating func visitItems<V: SyntaxVisitor>(_ v: inout V, count: Int?, _ depth: Int)
    throws(SyntaxError)
  {
    if let count {
      return try v.list("items", &items, count: count) { item, v throws(SyntaxError) in
        try item.syntax(&v, depth: depth + 1)
      }
    }
    if v.isReading { items = [] }
    var index = 0
    repeat {
      if v.isReading { items.append(CBORItem()) }
      try items[index].syntax(&v, depth: depth + 1)
      index += 1
    } while !items[index - 1].isBreak
  }
}

// MARK: - Meaning

extension CBORItem {
  /// The longest data that is read; assertions are much shorter.
  private static let longest = 1 << 20

  /// Reads the first item of some data; `nil` if it is damaged or too long.
  init?(reading data: Extent) {
    guard data.count <= Self.longest else { return nil }
    var limits = Limits()
    limits.elements = 1 << 16
    var reader = SyntaxReader(data.source, range: data.range, limits: limits)
    self.init()
    do throws(SyntaxError) {
      try syntax(&reader)
    } catch {
      return nil
    }
  }

  /// The item without its tags.
  private var untagged: CBORItem { majorType == 6 ? items.first?.untagged ?? self : self }

  /// The text; `nil` for an item of another kind.
  var text: String? {
    let item = untagged
    guard item.majorType == 3 else { return nil }
    let parts = item.items.isEmpty ? item.bytes : item.items.flatMap(\.bytes)
    return String(decoding: parts, as: UTF8.self)
  }

  /// The items of an array; empty for an item of another kind.
  var elements: [CBORItem] {
    let item = untagged
    return item.majorType == 4 ? item.items.filter { !$0.isBreak } : []
  }

  /// Returns the value of a key in a map; `nil` if the map lacks it.
  subscript(key: String) -> CBORItem? {
    let item = untagged
    guard item.majorType == 5 else { return nil }
    let place = stride(from: 0, to: item.items.count - 1, by: 2).first {
      item.items[$0].text == key
    }
    return place.map { item.items[$0 + 1] }
  }
}
