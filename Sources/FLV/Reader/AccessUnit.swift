// SPDX-License-Identifier: MIT

public import HEVC

/// The facts about a frame from the headers of its NAL units, without regard to the tag.
public struct AccessUnit: Sendable {
  /// The type of the first slice, if there is one (HEVC).
  public private(set) var firstPicture: NALUnitType?
  /// Whether a decoder can begin here.
  public private(set) var isRandomAccess = false
  public private(set) var hasParameterSets = false
  /// The offset at which the lengths of the NAL units lead out of the frame; `nil` if they do not.
  public private(set) var badLength: Int?
  public private(set) var units = 0

  /// - Parameters:
  ///   - lengthSize: the number of bytes in the length before each NAL unit.
  ///   - isWhole: whether the lengths are followed to the end rather than to the first slice.
  public init(_ codec: Codec, _ frame: Span<UInt8>, lengthSize: Int = 4, isWhole: Bool = true) {
    var index = 0
    while index < frame.count {
      guard frame.count - index > lengthSize else {
        badLength = index
        return
      }
      var length = 0
      for place in index..<index + lengthSize { length = length << 8 | Int(frame[place]) }
      let start = index + lengthSize
      let isBeyond = length > frame.count - start
      if length > 0, isWhole || !isBeyond || firstPicture == nil {
        codec == .avc ? addAVC(frame[start]) : addHEVC(frame[start])
      }
      units += 1
      if isBeyond {
        badLength = index
        return
      }
      index = start + length
      if !isWhole, firstPicture != nil || isRandomAccess { return }
    }
  }

  private mutating func addHEVC(_ first: UInt8) {
    let type = NALUnitType(fieldBits: UInt64(first >> 1))
    if type.isVCL, firstPicture == nil {
      firstPicture = type
      isRandomAccess = type.isIRAP
    }
    if type.isParameterSet { hasParameterSets = true }
  }

  /// Adds a NAL unit: `nal_unit_type` 5 is an IDR picture, 7 and 8 are parameter sets (ITU-T H.264, Table 7-1).
  private mutating func addAVC(_ first: UInt8) {
    let type = first & 31
    if type == 5 { isRandomAccess = true }
    if type == 7 || type == 8 { hasParameterSets = true }
  }
}
