// SPDX-License-Identifier: MIT

import ApusBytes
import ISOBMFF

/// Any bytes are a tree that is written back as it was, and every field of it can be shown.
func fuzz(_ bytes: [UInt8]) throws {
  let tree = try BoxTree(reading: MemorySource(bytes))
  try expect(tree.bytes() == bytes, "the tree is written back to other bytes")
  for box in tree.boxes { try show(box) }
}

private func show(_ node: Node) throws {
  for field in try node.headerFields() + node.fields() { _ = field.text }
  for child in node.children { try show(child) }
}
