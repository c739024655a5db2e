// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A unit of AV1 in a configuration, with the fields of a sequence header: AV1 Bitstream & Decoding Process
/// Specification, 5.3.
struct AV1Unit: SyntaxStructure {
  private var header = AV1UnitHeader()
  private var sequence = AV1SequenceHeader()
  private var trailingBits: UInt8 = 0
  private var payload: [UInt8] = []

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try header.syntax(&v)
    let size = header.hasSize ? Int(header.size) : v.remaining
    guard header.type == AV1UnitHeader.sequenceHeader else {
      return try v.bytes("obu", &payload, count: size)
    }
    try v.sized("obu", size) { v throws(SyntaxError) in
      try v.group("sequence_header_obu", &sequence)
      let bits = v.bitsUntilAligned
      if bits > 0 { try v.u(bits, "trailing_bits", &trailingBits, as: .hex) }
      try v.bytes("trailing_bits", &payload, count: nil)
    }
  }
}
