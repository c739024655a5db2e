// SPDX-License-Identifier: MIT

/// The bytes of a NAL unit: which of them prevent the emulation of start codes, and whether its declaration writes them.
package enum NALUnitBytes {
  /// Returns the indices of emulation prevention bytes: ITU-T H.265, 7.3.1.1: a 3 after two zeros, which does not belong
  /// to the payload.
  package static func escapes(in bytes: some Sequence<UInt8>) -> [Int] {
    var zeros = 0
    var found: [Int] = []
    for (index, byte) in bytes.enumerated() {
      if byte == 3, zeros >= 2 {
        found.append(index)
        zeros = 0
      } else {
        zeros = byte == 0 ? zeros + 1 : 0
      }
    }
    return found
  }

  /// Throws if `body` does not write the same bytes as the NAL unit, including emulation prevention.
  package static func verify(
    _ bytes: [UInt8],
    _ body: (inout SyntaxWriter<ComparingSink>) throws(SyntaxError) -> Void
  ) throws(SyntaxError) {
    let sink = ComparingSink(SyntaxReader(MemorySource(bytes)), from: 0)
    var writer = SyntaxWriter(sink, escaping: true)
    try body(&writer)
    guard let offset = writer.sink.difference ?? (writer.sink.count == bytes.count ? nil : 0) else {
      return
    }
    throw SyntaxError(
      .invalid, field: "", offset: offset, detail: "would not be written back to the same bytes")
  }
}
