// SPDX-License-Identifier: MIT

public import ApusBytes

/// Names of metadata items (`keys`): QuickTime File Format. The types of the items in `ilst` are the numbers of their
/// keys, counted from 1.
public struct MetadataKeys: FullBox {
  public static let types: [FourCC] = ["keys"]
  public var header = FullBoxHeader()
  public var entries: [Key] = []

  /// The name of an item in a namespace.
  public struct Key: SyntaxStructure, Hashable {
    public var namespace: FourCC = "mdta"
    public var value: [UInt8] = []

    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      let size = try v.count(32, "Key_size", value.count + 8)
      guard size >= 8 else {
        throw v.failure(.invalid, "Key_size", "is \(size), at least 8 are taken")
      }
      try v.u(32, "Key_namespace", &namespace)
      try v.bytes("Key_value", &value, count: size - 8, .text)
    }
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let count = try v.count(32, "entry_count", entries.count)
    try v.list("entries", &entries, count: count)
  }
}
