// SPDX-License-Identifier: MIT

internal import Bytes

/// Sequence header of AV1 from its start to what the pictures look like: AV1 Bitstream & Decoding Process
/// Specification, 5.5. Only the reduced form of still pictures and plain sequences without timing models are
/// read to the end.
struct AV1SequenceHeader: SyntaxStructure {
  var profile: UInt8 = 0
  var isStillPicture = false
  var isReduced = false
  var maxFrameWidthMinus1: UInt32 = 0
  var maxFrameHeightMinus1: UInt32 = 0
  var bitDepth = 8
  var isMonochrome = false
  /// Primaries, transfer characteristics, matrix coefficients.
  var colour: [UInt8] = [2, 2, 2]
  var isFullRange = false
  var subsamplingX = true
  var subsamplingY = true
  var samplePosition: UInt8 = 0

  init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(3, "seq_profile", &profile)
    try v.flag("still_picture", &isStillPicture)
    try v.flag("reduced_still_picture_header", &isReduced)
    if isReduced {
      var level: UInt8 = 0
      try v.u(5, "seq_level_idx", &level)
    } else {
      try operatingPoints(&v)
    }
    try size(&v)
    try tools(&v)
    try colourConfiguration(&v)
  }

  private func operatingPoints<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    var flag = false
    try v.flag("timing_info_present_flag", &flag)
    guard !flag else {
      throw v.failure(.unsupported, "timing_info_present_flag", "is 1, which is not read here")
    }
    var hasDelay = false
    try v.flag("initial_display_delay_present_flag", &hasDelay)
    var count: UInt8 = 0
    try v.u(5, "operating_points_cnt_minus_1", &count)
    for _ in 0...count {
      var point: UInt16 = 0
      try v.u(12, "operating_point_idc", &point)
      var level: UInt8 = 0
      try v.u(5, "seq_level_idx", &level)
      if level > 7 { try v.flag("seq_tier", &flag) }
      guard hasDelay else { continue }
      try v.flag("initial_display_delay_present_for_this_op", &flag)
      if flag { try v.u(4, "initial_display_delay_minus_1", &level) }
    }
  }

  private mutating func size<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    var (widthBits, heightBits): (UInt8, UInt8) = (0, 0)
    try v.u(4, "frame_width_bits_minus_1", &widthBits)
    try v.u(4, "frame_height_bits_minus_1", &heightBits)
    try v.u(Int(widthBits) + 1, "max_frame_width_minus_1", &maxFrameWidthMinus1)
    try v.u(Int(heightBits) + 1, "max_frame_height_minus_1", &maxFrameHeightMinus1)
    guard !isReduced else { return }
    var hasNumbers = false
    try v.flag("frame_id_numbers_present_flag", &hasNumbers)
    var lengths: UInt8 = 0
    if hasNumbers { try v.u(7, "frame id lengths", &lengths) }
  }

  private func tools<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    var flags: UInt8 = 0
    try v.u(3, "use_128x128_superblock, filter_intra, intra_edge_filter", &flags)
    if !isReduced {
      try v.u(4, "interintra, masked, warped, dual_filter", &flags)
      var hasOrderHint = false
      try v.flag("enable_order_hint", &hasOrderHint)
      if hasOrderHint { try v.u(2, "jnt_comp, ref_frame_mvs", &flags) }
      try screenContent(&v)
      if hasOrderHint { try v.u(3, "order_hint_bits_minus_1", &flags) }
    }
    try v.u(3, "superres, cdef, restoration", &flags)
  }

  private func screenContent<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    var (choosesTools, forcesTools) = (false, true)
    try v.flag("seq_choose_screen_content_tools", &choosesTools)
    if !choosesTools { try v.flag("seq_force_screen_content_tools", &forcesTools) }
    guard choosesTools || forcesTools else { return }
    var flag = false
    try v.flag("seq_choose_integer_mv", &flag)
    if !flag { try v.flag("seq_force_integer_mv", &flag) }
  }

  private mutating func colourConfiguration<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    var (isHigh, isTwelve, hasDescription) = (false, false, false)
    try v.flag("high_bitdepth", &isHigh)
    if profile == 2, isHigh { try v.flag("twelve_bit", &isTwelve) }
    bitDepth = isTwelve ? 12 : isHigh ? 10 : 8
    if profile != 1 { try v.flag("mono_chrome", &isMonochrome) }
    try v.flag("color_description_present_flag", &hasDescription)
    if hasDescription {
      for index in 0..<3 { try v.u(8, "color description", &colour[index]) }
    }
    if isMonochrome {
      try v.flag("color_range", &isFullRange)
    } else if colour == [1, 13, 0] {
      (isFullRange, subsamplingX, subsamplingY) = (true, false, false)
    } else {
      try v.flag("color_range", &isFullRange)
      (subsamplingX, subsamplingY) = (profile != 1, profile == 0)
      if profile == 2, bitDepth == 12 {
        try v.flag("subsampling_x", &subsamplingX)
        subsamplingY = false
        if subsamplingX { try v.flag("subsampling_y", &subsamplingY) }
      }
      if subsamplingX, subsamplingY { try v.u(2, "chroma_sample_position", &samplePosition) }
    }
  }
}

extension AV1SequenceHeader {
  /// Reads the sequence header among the open bitstream units at the start of a picture; `nil` where there is
  /// none before the first frame, or one of a form that is not read here.
  init?(inUnits bytes: [UInt8]) {
    var index = 0
    while index < bytes.count {
      let header = bytes[index]
      let (hasExtension, hasSize) = (header & 4 != 0, header & 2 != 0)
      index += hasExtension ? 2 : 1
      var size = bytes.count - index
      if hasSize {
        guard let (value, count) = Self.leb128(bytes.dropFirst(index)) else { return nil }
        index += count
        guard value <= bytes.count - index || header >> 3 & 15 == 1 else { return nil }
        size = min(value, bytes.count - index)
      }
      guard size >= 0 else { return nil }
      if header >> 3 & 15 == 1 {
        var reader = SyntaxReader(MemorySource(Array(bytes[index..<index + size])))
        self.init()
        do throws(SyntaxError) { try syntax(&reader) } catch { return nil }
        return
      }
      index += size
    }
    return nil
  }

  private static func leb128(_ bytes: ArraySlice<UInt8>) -> (value: Int, count: Int)? {
    var value = 0
    for (index, byte) in bytes.prefix(8).enumerated() {
      value |= Int(byte & 0x7f) << (7 * index)
      if byte & 0x80 == 0 { return (value, index + 1) }
    }
    return nil
  }
}
