// SPDX-License-Identifier: MIT

public import ApusBytes

/// A user's name for an item, with description and tags (`udes`): ISO/IEC 23008-12, 6.5.20.
public struct UserDescription: FullBox {
  public static let types: [FourCC] = ["udes"]
  public var header = FullBoxHeader()
  /// The language as a tag of RFC 5646, or empty.
  public var language = Text()
  public var name = Text()
  public var description = Text()
  /// The tags, separated by commas.
  public var tags = Text()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.text("lang", &language)
    try v.text("name", &name)
    try v.text("description", &description)
    try v.text("tags", &tags)
  }
}

/// A replacement text for an image (`altt`): ISO/IEC 23008-12, 6.5.21.
public struct AccessibilityText: FullBox {
  public static let types: [FourCC] = ["altt"]
  public var header = FullBoxHeader()
  public var text = Text()
  /// The language as a tag of RFC 5646, or empty.
  public var language = Text()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.text("alt_text", &text)
    try v.text("alt_lang", &language)
  }
}

/// The creation time of an item (`crtt`): ISO/IEC 23008-12, 6.5.18.
public struct CreationTime: FullBox {
  public static let types: [FourCC] = ["crtt"]
  public var header = FullBoxHeader()
  /// The time in microseconds since 1904-01-01 UTC.
  public var time: UInt64 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(64, "creation_time", &time)
  }
}

/// The time of an item's last modification (`mdft`): ISO/IEC 23008-12, 6.5.19.
public struct ModificationTime: FullBox {
  public static let types: [FourCC] = ["mdft"]
  public var header = FullBoxHeader()
  /// The time in microseconds since 1904-01-01 UTC.
  public var time: UInt64 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(64, "modification_time", &time)
  }
}

/// The types of references that a reader must understand (`rref`): ISO/IEC 23008-12, 6.5.17.
public struct RequiredReferenceTypes: FullBox {
  public static let types: [FourCC] = ["rref"]
  public var header = FullBoxHeader()
  public var referenceTypes: [FourCC] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let count = try v.count(8, "reference_type_count", referenceTypes.count)
    try v.values(32, "reference_type", &referenceTypes, count: count)
  }
}
