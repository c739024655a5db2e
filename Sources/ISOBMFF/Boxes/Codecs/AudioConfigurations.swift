// SPDX-License-Identifier: MIT

public import ApusBytes

/// Opus (`dOps`): Encapsulation of Opus in ISO Base Media File Format, 4.3.2.
public struct OpusSpecific: Box {
  public static let types: [FourCC] = ["dOps"]
  public var version: UInt8 = 0
  public var outputChannelCount: UInt8 = 2
  /// The samples to skip at the start, at 48 kHz.
  public var preSkip: UInt16 = 0
  public var inputSampleRate: UInt32 = 0
  /// The gain in decibels, in 8.8 fixed point.
  public var outputGain: Int16 = 0
  public var channelMappingFamily: UInt8 = 0
  public var streamCount: UInt8 = 0
  public var coupledCount: UInt8 = 0
  public var channelMapping: [UInt8] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "Version", &version)
    try v.u(8, "OutputChannelCount", &outputChannelCount)
    try v.u(16, "PreSkip", &preSkip)
    try v.u(32, "InputSampleRate", &inputSampleRate)
    try v.i(16, "OutputGain", &outputGain, as: .signedFixed(8))
    try v.u(8, "ChannelMappingFamily", &channelMappingFamily)
    if channelMappingFamily != 0 {
      try v.u(8, "StreamCount", &streamCount)
      try v.u(8, "CoupledCount", &coupledCount)
      try v.values(8, "ChannelMapping", &channelMapping, count: Int(outputChannelCount))
    }
  }
}

/// FLAC (`dfLa`): Encapsulation of FLAC in ISO Base Media File Format, 3.3.2.
public struct FLACSpecific: FullBox {
  public static let types: [FourCC] = ["dfLa"]
  public var header = FullBoxHeader()
  public var metadataBlocks: [MetadataBlock] = []

  /// A metadata block of FLAC, of which the first contains the stream information.
  public struct MetadataBlock: SyntaxStructure {
    public var isLast = false
    public var blockType: UInt8 = 0
    public var data: [UInt8] = []

    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.flag("LastMetadataBlockFlag", &isLast)
      try v.u(7, "BlockType", &blockType)
      let length = try v.count(24, "Length", data.count)
      try v.bytes("BlockData", &data, count: length)
    }
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.list("metadata_blocks", &metadataBlocks, count: nil)
  }
}

/// Apple Lossless (`alac` in `alac`): ALACSpecificConfig of Apple's reference decoder.
public struct ALACSpecific: FullBox {
  public static let types: [FourCC] = ["alac"]
  public var header = FullBoxHeader()
  public var frameLength: UInt32 = 4096
  public var compatibleVersion: UInt8 = 0
  public var bitDepth: UInt8 = 16
  /// A Rice parameter; in practice the three are 40, 10 and 14.
  public var pb: UInt8 = 40
  public var mb: UInt8 = 10
  public var kb: UInt8 = 14
  public var channelCount: UInt8 = 2
  public var maxRun: UInt16 = 255
  public var maxFrameBytes: UInt32 = 0
  public var averageBitRate: UInt32 = 0
  public var sampleRate: UInt32 = 0
  /// A channel layout, if there are more than two channels.
  public var channelLayoutInfo: [UInt8] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "frameLength", &frameLength)
    try v.u(8, "compatibleVersion", &compatibleVersion)
    try v.u(8, "bitDepth", &bitDepth)
    try v.u(8, "pb", &pb)
    try v.u(8, "mb", &mb)
    try v.u(8, "kb", &kb)
    try v.u(8, "numChannels", &channelCount)
    try v.u(16, "maxRun", &maxRun)
    try v.u(32, "maxFrameBytes", &maxFrameBytes)
    try v.u(32, "avgBitRate", &averageBitRate)
    try v.u(32, "sampleRate", &sampleRate)
    try v.bytes("channelLayoutInfo", &channelLayoutInfo, count: nil)
  }
}

/// AMR (`damr`): 3GPP TS 26.244, 6.7.
public struct AMRSpecific: Box {
  public static let types: [FourCC] = ["damr"]
  public var vendor: FourCC = "    "
  public var decoderVersion: UInt8 = 0
  public var modeSet: UInt16 = 0
  public var modeChangePeriod: UInt8 = 0
  public var framesPerSample: UInt8 = 1

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "vendor", &vendor)
    try v.u(8, "decoder_version", &decoderVersion)
    try v.u(16, "mode_set", &modeSet, as: .hex)
    try v.u(8, "mode_change_period", &modeChangePeriod)
    try v.u(8, "frames_per_sample", &framesPerSample)
  }
}

/// PCM (`pcmC`): ISO/IEC 23003-5, 4.2.
public struct PCMConfiguration: FullBox {
  public static let types: [FourCC] = ["pcmC"]
  public var header = FullBoxHeader()
  /// The format flags; bit 0 means little endian.
  public var formatFlags: UInt8 = 0
  public var sampleSize: UInt8 = 16

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "format_flags", &formatFlags, as: .hex)
    try v.u(8, "PCM_sample_size", &sampleSize)
  }
}

/// MPEG-H 3D audio (`mhaC`): ISO/IEC 23008-3, 20.4.
public struct MPEGHConfiguration: Box {
  public static let types: [FourCC] = ["mhaC"]
  public var configurationVersion: UInt8 = 1
  public var profileLevelIndication: UInt8 = 0
  public var referenceChannelLayout: UInt8 = 0
  public var config: [UInt8] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "configurationVersion", &configurationVersion)
    try v.u(8, "mpegh3daProfileLevelIndication", &profileLevelIndication)
    try v.u(8, "referenceChannelLayout", &referenceChannelLayout)
    let length = try v.count(16, "mpegh3daConfigLength", config.count)
    try v.bytes("mpegh3daConfig", &config, count: length)
  }
}
