// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
public import HEVC

/// The facts about a frame from the headers of its NAL units, without regard to the tag.
public struct AccessUnit: Sendable {
  /// The type of the first slice, if there is one (HEVC).
  public private(set) var firstPicture: NALUnitType?
  /// Whether a decoder can begin here.
  public private(set) var isRandomAccess = false
  /// Whether it contains parameter sets.
  public private(set) var hasParameterSets = false
  /// The offset at which the lengths of the NAL units lead out of the frame; `nil` if they do not.
  public private(set) var badLength: Int?
  /// The number of NAL units that were examined.
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
      let length = Int(bigEndianBytes: frame, at: index, count: lengthSize)
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
    let type = NALUnitType(firstByte: first)
    if type.isVCL, firstPicture == nil {
      firstPicture = type
      isRandomAccess = type.isIRAP
    }
    if type.isParameterSet { hasParameterSets = true }
  }

  private mutating func addAVC(_ first: UInt8) {
    let type = AVCNALUnitType(firstByte: first)
    if type == .idr { isRandomAccess = true }
    if type == .sps || type == .pps { hasParameterSets = true }
  }
}
