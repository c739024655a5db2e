// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The form and the meaning of the samples of AV1 (`color_config`): AV1 Bitstream & Decoding Process Specification, 5.5.2.
public struct AV1Colour: Hashable, Sendable {
  public var highBitdepth = false
  public var twelveBit = false
  public var monochrome = false
  public var descriptionPresentFlag = false
  public var primaries: UInt8 = 2
  public var transferCharacteristics: UInt8 = 2
  public var matrixCoefficients: UInt8 = 2
  /// Whether samples use their full range.
  public var range = false
  public var subsamplingX = true
  public var subsamplingY = true
  /// The position of colour samples: 0 unknown, 1 left, 2 top left.
  public var chromaSamplePosition: UInt8 = 0
  public var separateUVDeltaQ = false

  public init() {}

  /// The number of bits of a sample (`BitDepth`): 8, 10 or 12.
  public var bitDepth: Int { twelveBit ? 12 : highBitdepth ? 10 : 8 }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, profile: UInt8) throws(SyntaxError) {
    try v.flag("high_bitdepth", &highBitdepth)
    if profile == 2, highBitdepth { try v.flag("twelve_bit", &twelveBit) }
    if profile != 1 { try v.flag("mono_chrome", &monochrome) }
    try v.flag("color_description_present_flag", &descriptionPresentFlag)
    if descriptionPresentFlag {
      try v.u(8, "color_primaries", &primaries)
      try v.u(8, "transfer_characteristics", &transferCharacteristics)
      try v.u(8, "matrix_coefficients", &matrixCoefficients)
    }
    if monochrome { return try v.flag("color_range", &range) }
    if primaries == 1, transferCharacteristics == 13, matrixCoefficients == 0 {
      // sRGB has full range and full sampling, and codes neither.
      if v.isReading { (range, subsamplingX, subsamplingY) = (true, false, false) }
    } else {
      try v.flag("color_range", &range)
      if profile == 2, bitDepth == 12 {
        try v.flag("subsampling_x", &subsamplingX)
        if v.isReading { subsamplingY = false }
        if subsamplingX { try v.flag("subsampling_y", &subsamplingY) }
      } else if v.isReading {
        (subsamplingX, subsamplingY) = (profile != 1, profile == 0)
      }
      if subsamplingX, subsamplingY {
        try v.u(2, "chroma_sample_position", &chromaSamplePosition)
      }
    }
    try v.flag("separate_uv_delta_q", &separateUVDeltaQ)
  }
}
