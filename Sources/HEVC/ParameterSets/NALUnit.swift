// SPDX-License-Identifier: MIT

public import ApusBytes

/// The content between the header of a NAL unit and its trailing bits.
public protocol NALUnitPayload: SyntaxStructure {
  /// The types of NAL units that contain it.
  static var types: [NALUnitType] { get }
  /// Creates an empty payload, to be read in a NAL unit with this header.
  init(in header: NALUnitHeader, sets: ParameterSets)
}

/// A NAL unit with its declaration: header, payload and trailing bits.
///
/// After reading, it is written again and compared. A unit that cannot be read, or would not be written back to the
/// same bytes, is kept as bytes with the reason, so that writing always restores the original.
public struct NALUnit<Payload: NALUnitPayload>: Sendable {
  /// The content of a NAL unit, parsed or as bytes.
  public enum Content: Sendable {
    case typed(Payload, TrailingBits)
    /// The whole NAL unit as bytes, with the reason why it was not parsed.
    case raw([UInt8], SyntaxError)
  }

  /// The header, also if the content is kept as bytes.
  public var header: NALUnitHeader
  /// The parsed payload with its trailing bits, or the whole NAL unit as bytes.
  public var content: Content

  /// Creates a NAL unit to be written, with the usual trailing bits.
  public init(_ header: NALUnitHeader, _ payload: Payload) {
    self.header = header
    content = .typed(payload, TrailingBits())
  }

  /// Reads a NAL unit, including emulation prevention bytes.
  ///
  /// - Parameter sets: the parameter sets that the payload may refer to.
  public init(_ bytes: [UInt8], sets: ParameterSets = ParameterSets(), limits: Limits = Limits()) {
    self.init(bytes, limits) { Payload(in: $0, sets: sets) }
  }

  /// - Parameter empty: creates the payload to be read.
  init(_ bytes: [UInt8], _ limits: Limits, _ empty: (NALUnitHeader) -> Payload) {
    header = NALUnitHeader(of: bytes) ?? NALUnitHeader()
    content = .raw(bytes, SyntaxError(.truncated, field: "", offset: 0, detail: ""))
    do throws(SyntaxError) {
      let (payload, trailing) = try Self.read(bytes, limits, empty(header))
      content = .typed(payload, trailing)
      try verify(against: bytes)
    } catch {
      content = .raw(bytes, error)
    }
  }

  /// The parsed payload; `nil` if the NAL unit is kept as bytes.
  public var payload: Payload? {
    guard case .typed(let payload, _) = content else { return nil }
    return payload
  }

  /// The bits after the payload; `nil` if the NAL unit is kept as bytes.
  public var trailing: TrailingBits? {
    guard case .typed(_, let trailing) = content else { return nil }
    return trailing
  }

  /// The reason why the NAL unit is kept as bytes.
  public var failure: SyntaxError? {
    guard case .raw(_, let error) = content else { return nil }
    return error
  }

  /// Returns the NAL unit with emulation prevention bytes, without a start code.
  public func bytes() throws(SyntaxError) -> [UInt8] {
    switch content {
    case .raw(let bytes, _): return bytes
    case .typed:
      var writer = SyntaxWriter(ArraySink(), escaping: true)
      var copy = self
      try copy.run(&writer)
      return writer.sink.bytes
    }
  }

  /// Returns all fields with their bits.
  ///
  /// - Parameter start: the offset of the NAL unit in its input.
  public func fields(at start: Int = 0) throws(SyntaxError) -> [Field] {
    var copy = self
    // Bytes that were not parsed contain their emulation prevention bytes.
    return try FieldMapper.fields(at: start, escaping: failure == nil) { v throws(SyntaxError) in
      try copy.run(&v)
    }
  }

  private mutating func run<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.group("nal_unit_header", &header)
    switch content {
    case .raw(var bytes, _):
      bytes.removeFirst(min(bytes.count, NALUnitHeader.size))
      try v.bytes("rbsp_bytes", &bytes, count: bytes.count)
    case .typed(var payload, var trailing):
      try payload.syntax(&v)
      try trailing.syntax(&v)
    }
  }

  private static func read(
    _ bytes: [UInt8], _ limits: Limits, _ empty: Payload
  ) throws(SyntaxError) -> (Payload, TrailingBits) {
    var reader = SyntaxReader(escaped: bytes, limits: limits)
    var read = NALUnitHeader()
    try read.syntax(&reader)
    guard Payload.types.contains(read.nalUnitType) else {
      throw reader.failure(.misuse, "nal_unit_type", "is \(read.nalUnitType)")
    }
    var payload = empty
    try payload.syntax(&reader)
    var trailing = TrailingBits()
    try trailing.syntax(&reader)
    return (payload, trailing)
  }

  private func verify(against bytes: [UInt8]) throws(SyntaxError) {
    var copy = self
    try NALUnitBytes.verify(bytes) { v throws(SyntaxError) in try copy.run(&v) }
  }
}
