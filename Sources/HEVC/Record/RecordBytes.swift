// SPDX-License-Identifier: MIT

public import Bytes

/// The forms in which players and muxers want a record.
extension DecoderConfigurationRecord {
  /// Reads a record and nothing after it.
  public init(_ bytes: [UInt8], limits: Limits = Limits()) throws(SyntaxError) {
    self.init()
    var reader = SyntaxReader(MemorySource(bytes), limits: limits)
    try syntax(&reader)
    guard reader.remaining == 0 else {
      throw reader.failure(.invalid, "", "\(reader.remaining) bytes follow the record")
    }
  }

  /// The record itself, which is what
  /// - WebCodecs takes as `VideoDecoderConfig.description`,
  /// - VideoToolbox takes as the `hvcC` of the sample description extension atoms,
  /// - FLV and RTMP carry after the header of a sequence start tag, in either dialect,
  /// - Matroska calls `CodecPrivate`.
  public func bytes() throws(SyntaxError) -> [UInt8] {
    var writer = SyntaxWriter(ArraySink())
    var copy = self
    try copy.syntax(&writer)
    return writer.sink.bytes
  }

  /// The parameter sets one by one, as `CMVideoFormatDescriptionCreateFromHEVCParameterSets` takes them
  /// with `lengthSize` as the length of the NAL unit header.
  public var parameterSets: [[UInt8]] {
    [NALUnitType.vps, .sps, .pps].flatMap { type in
      arrays.filter { $0.nalUnitType == type.rawValue }.flatMap(\.nalUnits)
    }
  }

  /// All NAL units with start codes: what precedes the pictures of a byte stream (ITU-T H.265,
  /// Annex B), for decoders that take no record.
  public var annexB: [UInt8] { AnnexB.bytes(of: arrays.flatMap(\.nalUnits)) }
}

extension LayeredDecoderConfigurationRecord {
  public init(_ bytes: [UInt8], limits: Limits = Limits()) throws(SyntaxError) {
    self.init()
    var reader = SyntaxReader(MemorySource(bytes), limits: limits)
    try syntax(&reader)
    guard reader.remaining == 0 else {
      throw reader.failure(.invalid, "", "\(reader.remaining) bytes follow the record")
    }
  }

  public func bytes() throws(SyntaxError) -> [UInt8] {
    var writer = SyntaxWriter(ArraySink())
    var copy = self
    try copy.syntax(&writer)
    return writer.sink.bytes
  }
}
