// SPDX-License-Identifier: MIT

public import ApusBytes

/// Data references (`dref`): ISO/IEC 14496-12, 8.7.2.
public struct DataReferences: FullBox, ParentBox {
  public static let types: [FourCC] = ["dref"]
  public var header = FullBoxHeader()
  public var boxes: [Node] = []
  /// The number of boxes that are counted but absent.
  public var missingBoxes = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.framed(32, "entry_count", &boxes, missing: &missingBoxes)
  }
}

/// Data entry URL (`url `): ISO/IEC 14496-12, 8.7.2. Flag 1: the media data is in the same file.
public struct DataEntryURL: FullBox {
  public static let types: [FourCC] = ["url "]
  public var header = FullBoxHeader(flags: 1)
  /// The location; absent if the media data is in the same file.
  public var location: Text?

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    if v.moreData(location != nil) {
      var location = location ?? ""
      try v.text("location", &location)
      self.location = location
    }
  }
}

/// Data entry URN (`urn `): ISO/IEC 14496-12, 8.7.2.
public struct DataEntryURN: FullBox {
  public static let types: [FourCC] = ["urn "]
  public var header = FullBoxHeader()
  public var name: Text = ""
  public var location: Text?

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.text("name", &name)
    if v.moreData(location != nil) {
      var location = location ?? ""
      try v.text("location", &location)
      self.location = location
    }
  }
}

/// Data entry for an identified media data box (`imdt`): ISO/IEC 14496-12, 8.7.2.
public struct DataEntryIMDA: FullBox {
  public static let types: [FourCC] = ["imdt"]
  public var header = FullBoxHeader()
  public var imdaRefIdentifier: UInt32 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "imda_ref_identifier", &imdaRefIdentifier)
  }
}

/// A reference to a file on an old Macintosh (`alis`, `rsrc`): QuickTime File Format. Flag 1: the media data is in the
/// same file.
public struct MacintoshAlias: FullBox {
  public static let types: [FourCC] = ["alis", "rsrc"]
  public var header = FullBoxHeader(flags: 1)
  public var alias = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    if v.moreData(!alias.isEmpty) { try v.extent("alias", &alias, count: nil) }
  }
}
