// SPDX-License-Identifier: MIT

public import ApusBytes

/// All boxes of an input in order, and the findings from reading them.
public struct BoxTree: Sendable {
  /// The outermost boxes, in file order.
  public var boxes: [Node]
  /// The findings from reading the boxes, such as wrong sizes.
  public var findings: [Finding]
  /// The input that the boxes were read from; an empty one for newly created boxes.
  public let source: any ByteSource
  /// The registry that the boxes were read with; `nil` for the standard one.
  let declarations: (any AnyObject & Sendable)?

  /// Creates a tree of new boxes.
  public init(boxes: [Node], findings: [Finding] = []) {
    self.boxes = boxes
    self.findings = findings
    source = MemorySource([])
    declarations = nil
  }

  /// Writes all boxes in order.
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
