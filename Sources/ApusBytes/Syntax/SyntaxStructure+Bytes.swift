// SPDX-License-Identifier: MIT

extension SyntaxStructure {
  /// Reads a structure at the start of some bytes; `nil` if the bytes do not contain all of it, or are invalid.
  package init?(reading bytes: some Sequence<UInt8>) {
    self.init()
    // The bytes are in memory already, and nothing is larger than they are.
    var limits = Limits()
    (limits.bytes, limits.elements) = (.max, .max)
    var reader = SyntaxReader(MemorySource(Array(bytes)), limits: limits)
    do throws(SyntaxError) { try syntax(&reader) } catch { return nil }
  }

  /// Returns the structure as it is written; throws if a value does not fit its field.
  package func encoded() throws(SyntaxError) -> [UInt8] {
    var (copy, writer) = (self, SyntaxWriter(ArraySink()))
    try copy.syntax(&writer)
    return writer.sink.bytes
  }
}
