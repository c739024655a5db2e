// SPDX-License-Identifier: MIT

public import ApusBytes

/// The assignment of macroblocks to slice groups: ITU-T H.264, 7.3.2.2.
public struct AVCSliceGroups: SyntaxStructure, Hashable {
  /// A group on a background (`slice_group_map_type` 2).
  public struct Rectangle: SyntaxStructure, Hashable {
    public var topLeft: UInt32 = 0
    public var bottomRight: UInt32 = 0

    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.ue("top_left", &topLeft)
      try v.ue("bottom_right", &bottomRight)
    }
  }

  public var numSliceGroupsMinus1: UInt8 = 0
  /// The value `slice_group_map_type`.
  public var mapType: UInt8 = 0
  public var runLengthMinus1: [UInt32] = []
  public var rectangles: [Rectangle] = []
  public var sliceGroupChangeDirectionFlag = false
  public var sliceGroupChangeRateMinus1: UInt32 = 0
  /// The group of each map unit.
  public var sliceGroupIDs: [UInt8] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.ue("num_slice_groups_minus1", &numSliceGroupsMinus1, in: 0...7)
    guard numSliceGroupsMinus1 > 0 else { return }
    try v.ue("slice_group_map_type", &mapType, in: 0...6)
    switch mapType {
    case 0:
      let count = Int(numSliceGroupsMinus1) + 1
      try v.list("run_length_minus1", &runLengthMinus1, count: count) {
        length, v throws(SyntaxError) in
        try v.ue("run_length_minus1", &length)
      }
    case 2: try v.list("iGroup", &rectangles, count: Int(numSliceGroupsMinus1))
    case 3, 4, 5:
      try v.flag("slice_group_change_direction_flag", &sliceGroupChangeDirectionFlag)
      try v.ue("slice_group_change_rate_minus1", &sliceGroupChangeRateMinus1)
    case 6:
      var countMinus1 = UInt32(clamping: sliceGroupIDs.count - 1)
      try v.ue("pic_size_in_map_units_minus1", &countMinus1)
      // An ID has as many bits as are needed to distinguish the groups.
      let bits = UInt8.bitWidth - numSliceGroupsMinus1.leadingZeroBitCount
      try v.values(bits, "slice_group_id", &sliceGroupIDs, count: Int(countMinus1) + 1)
    default: break
    }
  }
}
