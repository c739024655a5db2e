// SPDX-License-Identifier: MIT

/// A structure of which one file may have a million. Its declaration is compiled for each of the visitors that go over
/// whole files, beside the form for all: one that does not know its visitor is several times as slow.
public protocol CompiledStructure: SyntaxStructure {
  /// All of it, with what precedes the declaration.
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
