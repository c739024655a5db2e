// SPDX-License-Identifier: MIT

public import ApusBytes

/// The fields of an H.264 NAL unit: those of a parameter set, or of messages; for other types, the header and the bytes.
public struct AVCNALUnitFields: Sendable {
  /// The header of the NAL unit.
  public var header: AVCNALUnitHeader
  /// The fields with their values and bits, in the order of the syntax, including those of the header.
  public var fields: [Field]
  /// The error that prevented the payload from being parsed, if it is declared.
  public var failure: SyntaxError?

  /// - Parameters:
  ///   - sequences: the sequence parameter sets that the payload may refer to, keyed by ID.
  ///   - start: the offset of the NAL unit in its input.
  public init(
    of bytes: [UInt8], sequences: [UInt8: AVCSequenceParameterSet] = [:], at start: Int = 0,
    limits: Limits = Limits()
  ) throws(SyntaxError) {
    let header = AVCNALUnitHeader(of: bytes)
    self.header = header ?? AVCNALUnitHeader()
    do throws(SyntaxError) {
      if var unit = try AVCTypedUnit(bytes, sequences: sequences, limits: limits) {
        try NALUnitBytes.verify(bytes) { v throws(SyntaxError) in try unit.syntax(&v) }
        fields = try FieldMapper.fields(of: unit, at: start, escaping: true)
        return
      }
    } catch {
      failure = error
    }
    fields = try FieldMapper.fields(at: start) { v throws(SyntaxError) in
      if var header { try v.group("nal_unit_header", &header) }
      var payload = Array(bytes.dropFirst())
      try v.bytes("rbsp_bytes", &payload, count: payload.count)
    }
  }
}

/// A parameter set, messages or a delimiter, including the NAL unit header and trailing bits.
private struct AVCTypedUnit: SyntaxStructure {
  enum Payload: Sendable {
    case sequence(AVCSequenceParameterSet)
    case picture(AVCPictureParameterSet)
    case sequenceExtension(AVCSequenceExtension)
    case information(AVCSupplementalInformation)
    /// `primary_pic_type` of an access unit delimiter: 7.3.2.4.
    case delimiter(UInt8)
  }

  var header = AVCNALUnitHeader()
  var payload = Payload.sequence(AVCSequenceParameterSet())
  var trailing = TrailingBits()

  init() {}

  /// Reads a NAL unit; `nil` if its type has no declaration.
  init?(_ bytes: [UInt8], sequences: [UInt8: AVCSequenceParameterSet], limits: Limits)
    throws(SyntaxError)
  {
    var reader = SyntaxReader(escaped: bytes, limits: limits)
    try header.syntax(&reader)
    switch header.nalUnitType {
    case .sps: break
    case .pps: payload = .picture(try AVCPictureParameterSet(for: reader, sequences: sequences))
    case .spsExtension: payload = .sequenceExtension(AVCSequenceExtension())
    case .sei: payload = .information(AVCSupplementalInformation())
    case .delimiter: payload = .delimiter(0)
    default: return nil
    }
    try run(&reader)
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.group("nal_unit_header", &header)
    try run(&v)
  }

  private mutating func run<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    switch payload {
    case .sequence(var set):
      try set.syntax(&v)
      payload = .sequence(set)
    case .picture(var set):
      try set.syntax(&v)
      payload = .picture(set)
    case .sequenceExtension(var set):
      try set.syntax(&v)
      payload = .sequenceExtension(set)
    case .information(var information):
      try information.syntax(&v)
      payload = .information(information)
    case .delimiter(var type):
      try v.u(3, "primary_pic_type", &type)
      payload = .delimiter(type)
    }
    try trailing.syntax(&v)
  }
}
