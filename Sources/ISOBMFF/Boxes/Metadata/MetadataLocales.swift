// SPDX-License-Identifier: MIT

public import ApusBytes

/// Next free number of an item (`mhdr`): QuickTime File Format.
public struct MetadataHeader: FullBox {
  public static let types: [FourCC] = ["mhdr"]
  public var header = FullBoxHeader()
  public var nextItemID: UInt32 = 1

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "nextItemID", &nextItemID)
  }
}

/// Lists of countries (`ctry`) or languages (`lang`) that values are for: QuickTime File Format.
public struct MetadataLocales: FullBox {
  public static let types: [FourCC] = ["ctry", "lang"]
  public var header = FullBoxHeader()
  public var entries: [[UInt16]] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let count = try v.count(32, "Entry_count", entries.count)
    try v.list("entries", &entries, count: count) { codes, v throws(SyntaxError) in
      let count = try v.count(16, "code_count", codes.count)
      try v.values(16, "codes", &codes, count: count)
    }
  }
}
