// SPDX-License-Identifier: MIT

public import ApusBytes

/// Elementary stream (`esds`): ISO/IEC 14496-14, 6.7.2.
public struct ElementaryStreamDescription: FullBox {
  public static let types: [FourCC] = ["esds"]
  public var header = FullBoxHeader()
  public var descriptor = Descriptor()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.group("ES", &descriptor)
  }

  /// The first decoder that is configured; `nil` if there is none.
  public var decoder: DecoderConfigDescriptor? {
    guard case .elementaryStream(let stream) = descriptor.content else { return nil }
    for inner in stream.descriptors {
      if case .decoder(let decoder) = inner.content { return decoder }
    }
    return nil
  }
}

/// The requirements of the file as a whole on a player (`iods`): ISO/IEC 14496-14, 6.2.
public struct ObjectDescription: FullBox {
  public static let types: [FourCC] = ["iods"]
  public var header = FullBoxHeader()
  public var descriptor = Descriptor()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.group("OD", &descriptor)
  }
}
