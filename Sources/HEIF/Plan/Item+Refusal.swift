// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ISOBMFF

extension Item {
  /// The name in messages, such as `item 12 (grid)`.
  var title: String { "item \(id) (\(type))" }

  /// Returns an error about this item as a whole.
  func refusal(_ kind: SyntaxError.Kind, _ detail: String) -> SyntaxError {
    SyntaxError(kind, field: title, path: path, offset: offset, detail: detail)
  }

  func finding(_ severity: Finding.Severity, _ rule: String, _ message: String) -> Finding {
    Finding(
      severity, rule: rule, path: path, offset: offset, message: "\(title) \(message)")
  }
}

extension LocatedNode {
  /// Returns an error about this box as a property of an item.
  func refusal(_ kind: SyntaxError.Kind, of item: Item, _ detail: String) -> SyntaxError {
    SyntaxError(
      kind, field: "\(node.type) of \(item.title)", path: path, offset: node.start, detail: detail)
  }

  func finding(_ severity: Finding.Severity, _ rule: String, of item: Item, _ message: String)
    -> Finding
  {
    Finding(
      severity, rule: rule, path: path, offset: node.start,
      message: "\(node.type) of \(item.title) \(message)")
  }

  /// Returns the bytes after the header of the box.
  func body() throws(SyntaxError) -> [UInt8] {
    var writer = SyntaxWriter(ArraySink())
    try node.write(to: &writer)
    return Array(writer.sink.bytes.dropFirst(node.header.count))
  }
}
