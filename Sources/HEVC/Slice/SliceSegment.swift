// SPDX-License-Identifier: MIT

public import ApusBytes

/// A NAL unit with a slice segment, with its headers parsed and its data as bytes.
public struct SliceSegment: Sendable {
  /// The header of the NAL unit.
  public var header: NALUnitHeader
  /// The header of the slice segment.
  public var slice: SliceSegmentHeader
  /// The bits before the data: a one and zeros (`byte_alignment()`).
  public private(set) var alignmentBits: UInt8 = 0x80
  /// The number of bytes in the NAL unit up to the end of the headers, including emulation prevention bytes.
  public private(set) var headerSize = 0

  /// Reads the headers of a NAL unit, and checks that they are written back to the same bytes.
  public init(_ bytes: [UInt8], sets: ParameterSets, limits: Limits = Limits())
    throws(SyntaxError)
  {
    var reader = SyntaxReader(escaped: bytes, limits: limits)
    header = NALUnitHeader()
    slice = SliceSegmentHeader()
    try header.syntax(&reader)
    guard header.nalUnitType.isSliceSegment else {
      throw reader.failure(.misuse, "nal_unit_type", "is \(header.nalUnitType)")
    }
    slice = SliceSegmentHeader(in: header, sets: sets)
    try slice.syntax(&reader)
    try alignment(&reader)
    headerSize = reader.position
    try verify(against: bytes)
  }

  /// Returns all fields of the headers with their bits.
  ///
  /// - Parameter start: the offset of the NAL unit in its input.
  public func fields(at start: Int = 0) throws(SyntaxError) -> [Field] {
    var copy = self
    return try FieldMapper.fields(at: start, escaping: true) { v throws(SyntaxError) in
      try copy.run(&v)
    }
  }

  /// Returns the bytes of the headers.
  public func headerBytes() throws(SyntaxError) -> [UInt8] {
    var writer = SyntaxWriter(ArraySink(), escaping: true)
    var copy = self
    try copy.run(&writer)
    return writer.sink.bytes
  }

  private mutating func run<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.group("nal_unit_header", &header)
    try slice.syntax(&v)
    try alignment(&v)
  }

  private mutating func alignment<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    // If the header is read only in part, its remaining bits follow.
    if slice.isPartial {
      if v.bitsUntilAligned > 0 { try v.u(v.bitsUntilAligned, "slice_header_bits", &alignmentBits) }
      return
    }
    let bits = v.bitsUntilAligned == 0 ? 8 : v.bitsUntilAligned
    try v.u(bits, "byte_alignment", &alignmentBits, as: .hex)
  }

  private func verify(against bytes: [UInt8]) throws(SyntaxError) {
    let written = try headerBytes()
    guard written.count <= bytes.count, written.elementsEqual(bytes.prefix(written.count)) else {
      throw SyntaxError(
        .invalid, field: "slice_segment_header", offset: 0,
        detail: "would not be written back to the same bytes")
    }
  }
}
