// SPDX-License-Identifier: MIT

public import ApusBytes

/// A NAL unit with a slice of H.264, with its headers parsed and its data as bytes.
public struct AVCSlice: Sendable {
  /// The header of the NAL unit.
  public private(set) var header = AVCNALUnitHeader()
  /// The header of the slice.
  public private(set) var slice = AVCSliceHeader()
  /// The remaining bits of the byte in which the header ends: ones for alignment (CABAC), or the first bits of the data.
  public private(set) var remainingBits: UInt8 = 0
  /// The number of bytes in the NAL unit up to there, including emulation prevention bytes.
  public private(set) var headerSize = 0

  /// Reads the headers of a NAL unit, and checks that they are written back to the same bytes.
  public init(_ bytes: [UInt8], sets: AVCKnownSets, limits: Limits = Limits())
    throws(SyntaxError)
  {
    var reader = SyntaxReader(escaped: bytes, limits: limits)
    try header.syntax(&reader)
    guard header.nalUnitType.startsSlice else {
      throw reader.failure(.misuse, "nal_unit_type", "is \(header.nalUnitType.rawValue)")
    }
    slice = AVCSliceHeader(in: header, sets: sets)
    try slice.syntax(&reader)
    try remainder(&reader)
    headerSize = reader.position
    var copy = self
    try NALUnitBytes.verify(Array(bytes.prefix(headerSize))) { v throws(SyntaxError) in
      try copy.run(&v)
    }
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

  private mutating func run<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.group("nal_unit_header", &header)
    try slice.syntax(&v)
    try remainder(&v)
  }

  private mutating func remainder<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    guard v.bitsUntilAligned > 0 else { return }
    let isAligned = slice.pictureParameterSet?.entropyCodingModeFlag ?? false
    try v.u(
      v.bitsUntilAligned, isAligned ? "cabac_alignment_one_bit" : "slice_data_bits", &remainingBits,
      as: .hex)
  }
}
