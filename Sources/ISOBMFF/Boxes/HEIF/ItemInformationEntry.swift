// SPDX-License-Identifier: MIT

public import ApusBytes

/// Item information entry (`infe`): ISO/IEC 14496-12, 8.11.6.
///
/// The fields after the name depend on the version and, from version 2, on the item's type.
public struct ItemInformationEntry: FullBox {
  public static let types: [FourCC] = ["infe"]
  public static let versions: ClosedRange<UInt8> = 0...3
  public var header = FullBoxHeader(version: 2)
  public var itemID: UInt32 = 0
  public var itemProtectionIndex: UInt16 = 0
  /// The type of the item, present from version 2.
  public var itemType: FourCC = "mime"
  public var itemName = Text()
  /// The MIME type of the item, present in versions 0 and 1 and in items of type `mime`.
  public var contentType = Text()
  /// The encoding of the content, which accompanies `contentType`; `nil` if the entry ends before it.
  public var contentEncoding: Text?
  /// The URI that states the type of an item of type `uri `.
  public var itemURIType = Text()
  /// The extension of the entry, which only version 1 can have.
  public var itemExtension: Extension?

  /// The extension of an entry in version 1.
  public struct Extension: SyntaxStructure {
    public var type: FourCC = "fdel"
    /// The fields of type `fdel`.
    public var fileDelivery = FileDelivery()
    /// The body of every other type.
    public var data = Extent()
    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(32, "extension_type", &type)
      if type == "fdel" {
        try fileDelivery.syntax(&v)
      } else {
        try v.extent("data", &data, count: nil)
      }
    }
  }

  /// The delivery information of a file item (`fdel`).
  public struct FileDelivery: SyntaxStructure {
    public var contentLocation = Text()
    public var contentMD5 = Text()
    public var contentLength: UInt64 = 0
    public var transferLength: UInt64 = 0
    public var groupIDs: [UInt32] = []
    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.text("content_location", &contentLocation)
      try v.text("content_MD5", &contentMD5)
      try v.u(64, "content_length", &contentLength)
      try v.u(64, "transfer_length", &transferLength)
      let count = try v.count(8, "entry_count", groupIDs.count)
      try v.values(32, "group_id", &groupIDs, count: count)
    }
  }

  public init() {}

  /// Whether the item is not meant to be shown on its own.
  public var isHidden: Bool { version >= 2 && flags & 1 == 1 }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(version == 3 ? 32 : 16, "item_ID", &itemID)
    try v.u(16, "item_protection_index", &itemProtectionIndex)
    if version >= 2 { try v.u(32, "item_type", &itemType) }
    try v.text("item_name", &itemName)
    if version < 2 || itemType == "mime" {
      try v.text("content_type", &contentType)
      if v.moreData(contentEncoding != nil) {
        var text = contentEncoding ?? Text()
        try v.text("content_encoding", &text)
        contentEncoding = text
      }
    } else if itemType == "uri " {
      try v.text("item_uri_type", &itemURIType)
    }
    if version == 1, v.moreData(itemExtension != nil) {
      var added = itemExtension ?? Extension()
      try v.group("extension", &added)
      itemExtension = added
    }
  }
}
