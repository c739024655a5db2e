// SPDX-License-Identifier: MIT

/// A structure of which one file may have a million. Its declaration is compiled for each of the visitors that process
/// whole files, in addition to the generic form, which is several times as slow.
public protocol CompiledStructure: SyntaxStructure {
  /// Visits the whole structure, including fields before the declaration.
  mutating func body<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError)

  mutating func run(_ reader: inout SyntaxReader) throws(SyntaxError)
  mutating func run(_ writer: inout SyntaxWriter<ArraySink>) throws(SyntaxError)
  mutating func run(_ writer: inout SyntaxWriter<CountingSink>) throws(SyntaxError)
  mutating func run(_ writer: inout SyntaxWriter<ComparingSink>) throws(SyntaxError)
}

extension CompiledStructure {
  @inlinable
  public mutating func run(_ reader: inout SyntaxReader) throws(SyntaxError) {
    try body(&reader)
  }

  @inlinable
  public mutating func run(_ writer: inout SyntaxWriter<ArraySink>) throws(SyntaxError) {
    try body(&writer)
  }

  @inlinable
  public mutating func run(_ writer: inout SyntaxWriter<CountingSink>) throws(SyntaxError) {
    try body(&writer)
  }

  @inlinable
  public mutating func run(_ writer: inout SyntaxWriter<ComparingSink>) throws(SyntaxError) {
    try body(&writer)
  }
}
