// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ApusMetadata

/// Any bytes are the structures of a picture, or are refused; the outermost cover the file, and every field can be shown.
func fuzz(_ bytes: [UInt8]) throws {
  let kind = FileKind(prefix: Array(bytes.prefix(FileKind.prefixLength)))
  guard let tree = try StructureTree(reading: MemorySource(bytes), kind: kind) else { return }
  let covered = tree.structures.reduce(0) { $0 + $1.range.count }
  try expect(covered == bytes.count, "the structures cover \(covered) of \(bytes.count) bytes")
  for structure in tree.structures { try show(structure) }
}

private func show(_ structure: FileStructure) throws {
  for field in try structure.headerFields() + structure.bodyFields() { _ = field.text }
  for child in structure.children { try show(child) }
}
