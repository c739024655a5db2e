// SPDX-License-Identifier: MIT

public import ApusBytes

/// User data (`udta`): ISO/IEC 14496-12, 8.10.1, and the QuickTime File Format, where four zero bytes may
/// end it.
public struct UserData: ParentBox {
  public static let types: [FourCC] = ["udta"]
  public var boxes: [Node] = []

  public init() {}

  /// Returns the meaning of a child's type. `name` is a different box in an item of `ilst`, and there are many types
  /// that begin with ©.
  public static func childType(_ type: FourCC, in parent: SyntaxReader.Step) -> ChildType {
    switch type {
    case "name": .box(UserDataName.self)
    case _ where type.code >> 24 == 0xa9: .box(UserDataText.self)
    default: .registered
    }
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.framed(&boxes, count: nil)
  }
}

/// Label of a track, movie or group (`labl`): ISO/IEC 14496-12, 8.10.5.
public struct MediaLabel: FullBox {
  public static let types: [FourCC] = ["labl"]
  public var header = FullBoxHeader()
  public var isGroupLabel = false
  public var reserved: UInt8 = 0
  public var labelID: UInt16 = 0
  /// The language in the form of RFC 5646.
  public var language: Text = "en"
  public var label: Text = ""

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("is_group_label", &isGroupLabel)
    try v.u(7, "reserved", &reserved)
    try v.u(16, "label_id", &labelID)
    try v.text("language", &language)
    try v.text("label", &label)
  }
}

/// The name of a track or movie (`name` in `udta`): QuickTime File Format.
public struct UserDataName: Box {
  public static let types: [FourCC] = []
  public var name: [UInt8] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.bytes("name", &name, count: nil, .text)
  }
}
