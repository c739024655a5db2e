// SPDX-License-Identifier: MIT

public import Bytes

/// Elementary stream (`esds`): ISO/IEC 14496-14, 6.7.2.
public struct ElementaryStreamDescription: FullBox {
  public static let types: [FourCC] = ["esds"]
  public var header = FullBoxHeader()
  public var descriptor = Descriptor()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.group("ES", &descriptor)
  }
}

/// What the file as a whole needs of a player (`iods`): ISO/IEC 14496-14, 6.2.
public struct ObjectDescription: FullBox {
  public static let types: [FourCC] = ["iods"]
  public var header = FullBoxHeader()
  public var descriptor = Descriptor()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.group("OD", &descriptor)
  }
}
