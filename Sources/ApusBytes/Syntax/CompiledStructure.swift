// SPDX-License-Identifier: MIT

/// A structure of which one file may have a million. Its declaration is compiled for each of the visitors that process
/// whole files, in addition to the generic form, which is several times as slow.
public protocol CompiledStructure: SyntaxStructure {
  /// Visits the whole structure, including fields before the declaration.
  mutating func body<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError)

  /// Reads the structure.
  mutating func run(_ reader: inout SyntaxReader) throws(SyntaxError)
  /// Writes the structure to memory.
  mutating func run(_ writer: inout SyntaxWriter<ArraySink>) throws(SyntaxError)
  /// Counts the bytes of the structure.
  mutating func run(_ writer: inout SyntaxWriter<CountingSink>) throws(SyntaxError)
  /// Compares the structure with the bytes that it was read from.
  mutating func run(_ writer: inout SyntaxWriter<ComparingSink>) throws(SyntaxError)
}

extension CompiledStructure {
  /// Reads the structure.
  @inlinable
  public mutating func run(_ reader: inout SyntaxReader) throws(SyntaxError) {
    try body(&reader)
  }

  /// Writes the structure to memory.
  @inlinable
  public mutating func run(_ writer: inout SyntaxWriter<ArraySink>) throws(SyntaxError) {
    try body(&writer)
  }

  /// Counts the bytes of the structure.
  @inlinable
  public mutating func run(_ writer: inout SyntaxWriter<CountingSink>) throws(SyntaxError) {
    try body(&writer)
  }

  /// Compares the structure with the bytes that it was read from.
  @inlinable
  public mutating func run(_ writer: inout SyntaxWriter<ComparingSink>) throws(SyntaxError) {
    try body(&writer)
  }
}
