// SPDX-License-Identifier: MIT

public import ApusBytes

/// Level assignment (`leva`): ISO/IEC 14496-12, 8.8.13.
public struct LevelAssignment: FullBox {
  public static let types: [FourCC] = ["leva"]
  public var header = FullBoxHeader()
  public var levels: [Level] = []

  /// A level, and the part of a track that it is assigned to.
  public struct Level: SyntaxStructure, Hashable {
    public var trackID: UInt32 = 0
    public var paddingFlag = false
    public var assignmentType: UInt8 = 0
    public var groupingType = FourCC()
    public var groupingTypeParameter: UInt32 = 0
    public var subTrackID: UInt32 = 0

    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(32, "track_ID", &trackID)
      try v.flag("padding_flag", &paddingFlag)
      try v.u(7, "assignment_type", &assignmentType)
      switch assignmentType {
      case 0: try v.u(32, "grouping_type", &groupingType)
      case 1:
        try v.u(32, "grouping_type", &groupingType)
        try v.u(32, "grouping_type_parameter", &groupingTypeParameter)
      case 4: try v.u(32, "sub_track_ID", &subTrackID)
      default: break
      }
    }
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let count = try v.count(8, "level_count", levels.count)
    try v.list("levels", &levels, count: count)
  }
}
