// SPDX-License-Identifier: MIT

public import ApusBytes

/// A sequence header of AV1 (`sequence_header_obu`): AV1 Bitstream & Decoding Process Specification, 5.5.1.
public struct AV1SequenceHeader: SyntaxStructure, Hashable {
  public var seqProfile: UInt8 = 0
  public var stillPicture = false
  public var reducedStillPictureHeader = false
  public var timing = AV1Timing()
  public var initialDisplayDelayPresentFlag = false
  public var operatingPoints = [AV1OperatingPoint()]
  public var frameWidthBitsMinus1: UInt8 = 0
  public var frameHeightBitsMinus1: UInt8 = 0
  public var maxFrameWidthMinus1: UInt32 = 0
  public var maxFrameHeightMinus1: UInt32 = 0
  public var frameIDNumbersPresentFlag = false
  public var deltaFrameIDLengthMinus2: UInt8 = 0
  public var additionalFrameIDLengthMinus1: UInt8 = 0
  public var use128x128Superblock = false
  public var enableFilterIntra = false
  public var enableIntraEdgeFilter = false
  public var tools = AV1Tools()
  public var enableSuperres = false
  public var enableCDEF = false
  public var enableRestoration = false
  public var colour = AV1Colour()
  public var filmGrainParamsPresent = false

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(3, "seq_profile", &seqProfile)
    try v.flag("still_picture", &stillPicture)
    try v.flag("reduced_still_picture_header", &reducedStillPictureHeader)
    if reducedStillPictureHeader {
      if operatingPoints.isEmpty { operatingPoints = [AV1OperatingPoint()] }
      try v.u(5, "seq_level_idx", &operatingPoints[0].seqLevelIndex)
    } else {
      try timing.syntax(&v)
      try v.flag("initial_display_delay_present_flag", &initialDisplayDelayPresentFlag)
      let count = try v.count(5, "operating_points_cnt_minus_1", operatingPoints.count - 1) + 1
      let (delays, timing) = (initialDisplayDelayPresentFlag, timing)
      try v.list("operating_points", &operatingPoints, count: count) {
        point, v throws(SyntaxError) in
        try point.syntax(&v, timing, hasDelays: delays)
      }
    }
    try v.u(4, "frame_width_bits_minus_1", &frameWidthBitsMinus1)
    try v.u(4, "frame_height_bits_minus_1", &frameHeightBitsMinus1)
    try v.u(Int(frameWidthBitsMinus1) + 1, "max_frame_width_minus_1", &maxFrameWidthMinus1)
    try v.u(Int(frameHeightBitsMinus1) + 1, "max_frame_height_minus_1", &maxFrameHeightMinus1)
    if !reducedStillPictureHeader {
      try v.flag("frame_id_numbers_present_flag", &frameIDNumbersPresentFlag)
      if frameIDNumbersPresentFlag {
        try v.u(4, "delta_frame_id_length_minus_2", &deltaFrameIDLengthMinus2)
        try v.u(3, "additional_frame_id_length_minus_1", &additionalFrameIDLengthMinus1)
      }
    }
    try v.flag("use_128x128_superblock", &use128x128Superblock)
    try v.flag("enable_filter_intra", &enableFilterIntra)
    try v.flag("enable_intra_edge_filter", &enableIntraEdgeFilter)
    if !reducedStillPictureHeader { try tools.syntax(&v) }
    try v.flag("enable_superres", &enableSuperres)
    try v.flag("enable_cdef", &enableCDEF)
    try v.flag("enable_restoration", &enableRestoration)
    try colour.syntax(&v, profile: seqProfile)
    try v.flag("film_grain_params_present", &filmGrainParamsPresent)
  }
}

extension AV1SequenceHeader {
  /// Reads the sequence header among the units at the start of a picture or in a configuration; `nil` if there is none
  /// that can be read.
  public init?(inUnits bytes: [UInt8]) {
    guard let unit = Self.unit(in: bytes) else { return nil }
    var reader = SyntaxReader(MemorySource(bytes), range: unit.body)
    self.init()
    do throws(SyntaxError) {
      try syntax(&reader)
    } catch {
      return nil
    }
  }

  fileprivate static func unit(in bytes: [UInt8]) -> AV1UnitWalk.Unit? {
    var walk = AV1UnitWalk(bytes)
    do throws(SyntaxError) {
      while let unit = try walk.next() {
        if unit.type == AV1UnitHeader.sequenceHeader { return unit }
      }
    } catch {
      return nil
    }
    return nil
  }
}

extension AV1Configuration {
  /// The sequence header that the configuration repeats; `nil` if there is none that can be read.
  public var sequence: AV1SequenceHeader? {
    guard let units = try? configOBUs.prefix(1 << 12).bytes() else { return nil }
    return AV1SequenceHeader(inUnits: units)
  }

  /// Creates the configuration of a stream that has none, from the sequence header among the units of a picture; `nil`
  /// if there is none that can be read.
  public init?(inUnits bytes: [UInt8]) {
    guard let unit = AV1SequenceHeader.unit(in: bytes), unit.hasSize,
      let sequence = AV1SequenceHeader(inUnits: bytes), let point = sequence.operatingPoints.first
    else { return nil }
    self.init()
    seqProfile = sequence.seqProfile
    (seqLevelIndex0, seqTier0) = (point.seqLevelIndex, point.seqTier)
    (highBitdepth, twelveBit) = (sequence.colour.highBitdepth, sequence.colour.twelveBit)
    monochrome = sequence.colour.monochrome
    chromaSubsamplingX = sequence.colour.subsamplingX
    chromaSubsamplingY = sequence.colour.subsamplingY
    chromaSamplePosition = sequence.colour.chromaSamplePosition
    configOBUs = Extent(Array(bytes[unit.range]))
  }
}
