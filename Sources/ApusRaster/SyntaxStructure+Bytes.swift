// SPDX-License-Identifier: MIT

package import ApusBytes

extension SyntaxVisitor {
  /// Visits an unsigned field of whole bytes, the least significant first.
  package mutating func littleEndian<Value: FieldCoded>(
    _ bits: Int, _ name: StaticString, _ value: inout Value, as kind: FieldKind = .unsigned
  ) throws(SyntaxError) {
    var field = value.fieldBits
    try littleEndian(bits, name, &field, kind)
    if isAssigning { value = Value(fieldBits: field) }
  }
}

extension SyntaxStructure {
  /// Reads a structure at the start of some bytes; `nil` if it is not there as a whole, or invalid.
  package init?(reading bytes: some Sequence<UInt8>) {
    self.init()
    // The bytes are in memory already, and nothing is larger than they are.
    var limits = Limits()
    (limits.bytes, limits.elements) = (.max, .max)
    var reader = SyntaxReader(MemorySource(Array(bytes)), limits: limits)
    do throws(SyntaxError) { try syntax(&reader) } catch { return nil }
  }

  /// Returns the structure as it is written.
  package func bytes() throws(SyntaxError) -> [UInt8] {
    var (copy, writer) = (self, SyntaxWriter(ArraySink()))
    try copy.syntax(&writer)
    return writer.sink.bytes
  }
}
