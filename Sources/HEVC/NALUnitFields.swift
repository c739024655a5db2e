// SPDX-License-Identifier: MIT

public import ApusBytes

/// The fields of a NAL unit of any type; if its payload is not declared, the header and the bytes.
public struct NALUnitFields: Sendable {
  /// The header of the NAL unit.
  public var header: NALUnitHeader
  /// The fields with their values and bits, in the order of the syntax, including those of the header.
  public var fields: [Field]
  /// The error that prevented the payload from being parsed, if it is declared.
  public var failure: SyntaxError?

  /// - Parameters:
  ///   - sets: the parameter sets that the payload may refer to.
  ///   - start: the offset of the NAL unit in its input.
  public init(
    of bytes: [UInt8], sets: ParameterSets = ParameterSets(), at start: Int = 0,
    limits: Limits = Limits()
  ) throws(SyntaxError) {
    func read<Payload: NALUnitPayload>(_: Payload.Type) throws(SyntaxError) -> NALUnitFields {
      let unit = NALUnit<Payload>(bytes, sets: sets, limits: limits)
      return NALUnitFields(
        header: unit.header, fields: try unit.fields(at: start), failure: unit.failure)
    }
    switch NALUnitHeader(of: bytes)?.nalUnitType {
    case .vps: self = try read(VideoParameterSet.self)
    case .sps: self = try read(SequenceParameterSet.self)
    case .pps: self = try read(PictureParameterSet.self)
    case .prefixSEI, .suffixSEI: self = try read(SupplementalInformation.self)
    case .aud: self = try read(AccessUnitDelimiter.self)
    case .unspec62 where bytes.dropFirst(NALUnitHeader.size).first == ReferenceProcessingUnit.prefix:
      self = try read(ReferenceProcessingUnit.self)
    case nil:
      header = NALUnitHeader()
      var bytes = bytes
      fields = try FieldMapper.fields(at: start) { v throws(SyntaxError) in
        try v.bytes("data", &bytes, count: nil)
      }
      failure = SyntaxError(
        .truncated, field: "nal_unit_header", offset: start,
        detail: "needs 2 bytes, has \(bytes.count)")
    default:
      self = try read(AccessUnitDelimiter.self)
      failure = nil
    }
  }

  private init(header: NALUnitHeader, fields: [Field], failure: SyntaxError?) {
    self.header = header
    self.fields = fields
    self.failure = failure
  }
}
