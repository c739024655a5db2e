// SPDX-License-Identifier: MIT

public import ApusBytes

extension BoxTree {
  /// Reads the headers, and all bodies except media data and tables. Throws only if the input cannot be read; errors in
  /// its content become findings.
  ///
  /// - Parameter own: the declarations of further boxes, which replace those with the same types.
  public init(
    reading source: any ByteSource, boxes own: [any Box.Type] = [],
    limits: Limits = Limits()
  ) throws(SyntaxError) {
    declarations = own.isEmpty ? nil : BoxRegistry.standard.adding(own)
    var reader = SyntaxReader(source, limits: limits)
    reader.declarations = declarations
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
}
