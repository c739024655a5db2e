// SPDX-License-Identifier: MIT

public import ApusBytes

/// Track groups (`trgr`): ISO/IEC 14496-12, 8.3.4. The type of each child states what the tracks of the group have in
/// common.
public struct TrackGroups: ParentBox {
  public static let types: [FourCC] = ["trgr"]
  public var boxes: [Node] = []

  public init() {}

  public static func childType(_ type: FourCC, in parent: SyntaxReader.Step) -> ChildType {
    .box(TrackGroup.self)
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.framed(&boxes, count: nil)
  }
}

/// The group that a track is in, such as `msrc` or `ster`: ISO/IEC 14496-12, 8.3.4.
public struct TrackGroup: FullBox {
  public static let types: [FourCC] = []
  public var header = FullBoxHeader()
  public var trackGroupID: UInt32 = 0
  /// The data that the type of the group adds.
  public var data = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "track_group_id", &trackGroupID)
    if v.moreData(!data.isEmpty) { try v.extent("data", &data, count: nil) }
  }
}
