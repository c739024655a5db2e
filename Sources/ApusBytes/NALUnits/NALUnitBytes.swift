// SPDX-License-Identifier: MIT

/// The comparison of a NAL unit with what its declaration writes.
package enum NALUnitBytes {
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
