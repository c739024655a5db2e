// SPDX-License-Identifier: MIT

public import ApusBytes

/// All boxes of an input in order, and the findings from reading them.
public struct BoxTree: Sendable {
  public var boxes: [Node]
  public var findings: [Finding]
  /// The input that the boxes were read from; an empty one for newly created boxes.
  public let source: any ByteSource

  public init(boxes: [Node], findings: [Finding] = []) {
    self.boxes = boxes
    self.findings = findings
    source = MemorySource([])
  }

  /// Reads the headers, and all bodies except media data and tables. Throws only if the input cannot be read; errors in
  /// its content become findings.
  public init(reading source: any ByteSource, limits: Limits = Limits()) throws(SyntaxError) {
    var reader = SyntaxReader(source, limits: limits)
    var boxes: [Node] = []
    do throws(SyntaxError) {
      try reader.framed(&boxes, count: nil)
    } catch {
      guard error.kind == .limit else { throw error }
      reader.report(.error, "limit", at: error.offset ?? reader.position, error.message)
      boxes.append(Node(remainderOf: &reader, .limit))
    }
    findings = reader.findings
    self.boxes = boxes
    self.source = source
  }

  public func write<Sink: ByteSink>(to writer: inout SyntaxWriter<Sink>) throws(SyntaxError) {
    for box in boxes { try box.write(to: &writer) }
  }

  /// Returns the whole input as it would be written.
  public func bytes() throws(SyntaxError) -> [UInt8] {
    var writer = SyntaxWriter(ArraySink())
    try write(to: &writer)
    return writer.sink.bytes
  }
}
