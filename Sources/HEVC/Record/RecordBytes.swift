// SPDX-License-Identifier: MIT

public import ApusBytes

/// The forms of a record that players and muxers need.
extension DecoderConfigurationRecord {
  /// Reads a record; throws if other bytes follow.
  public init(_ bytes: [UInt8], limits: Limits = Limits()) throws(SyntaxError) {
    self.init()
    var reader = SyntaxReader(MemorySource(bytes), limits: limits)
    try syntax(&reader)
    guard reader.remaining == 0 else {
      throw reader.failure(.invalid, "", "\(reader.remaining) bytes follow the record")
    }
  }

  /// Returns the record itself, which is
  /// - the `VideoDecoderConfig.description` of WebCodecs,
  /// - the `hvcC` among the sample description extension atoms of VideoToolbox,
  /// - the content after the header of a sequence start tag in FLV and RTMP, in either dialect,
  /// - the `CodecPrivate` of Matroska.
  public func bytes() throws(SyntaxError) -> [UInt8] { try encoded() }

  /// The parameter sets one by one, as `CMVideoFormatDescriptionCreateFromHEVCParameterSets` accepts them, with
  /// `lengthSize` as the length of the NAL unit header.
  public var parameterSets: [[UInt8]] {
    [NALUnitType.vps, .sps, .pps].flatMap { type in
      arrays.filter { $0.nalUnitType == type.rawValue }.flatMap(\.nalUnits)
    }
  }

  /// All NAL units with start codes, to be put before the pictures of a byte stream (ITU-T H.265, Annex B), for
  /// decoders that do not accept a record.
  public var annexB: [UInt8] { AnnexB.bytes(of: arrays.flatMap(\.nalUnits)) }
}

extension LayeredDecoderConfigurationRecord {
  /// Reads a record; throws if other bytes follow.
  public init(_ bytes: [UInt8], limits: Limits = Limits()) throws(SyntaxError) {
    self.init()
    var reader = SyntaxReader(MemorySource(bytes), limits: limits)
    try syntax(&reader)
    guard reader.remaining == 0 else {
      throw reader.failure(.invalid, "", "\(reader.remaining) bytes follow the record")
    }
  }

  /// Returns the body of an `lhvC` box.
  public func bytes() throws(SyntaxError) -> [UInt8] { try encoded() }
}
