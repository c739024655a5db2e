// SPDX-License-Identifier: MIT

public import ApusBytes

/// Track references (`tref`): ISO/IEC 14496-12, 8.3.3. The type of each child states the purpose of the reference.
public struct TrackReferences: ParentBox {
  public static let types: [FourCC] = ["tref"]
  public var boxes: [Node] = []

  public init() {}

  public static func childType(_ type: FourCC, in parent: SyntaxReader.Step) -> ChildType {
    .box(TrackReference.self)
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.framed(&boxes, count: nil)
  }
}

/// References to tracks for one purpose, such as `cdsc` or `tmcd`: ISO/IEC 14496-12, 8.3.3.
public struct TrackReference: Box {
  public static let types: [FourCC] = []
  public var trackIDs: [UInt32] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.values(32, "track_IDs", &trackIDs, count: nil)
  }
}
