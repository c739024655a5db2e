// SPDX-License-Identifier: MIT

import ApusBytes
import ApusRecords
import ISOBMFF

/// A box put before all others, and records put right: refused with a reason, or written with the size
/// that was promised and read again.
func fuzz(_ bytes: [UInt8]) throws {
  let source = MemorySource(bytes)
  let tree = try BoxTree(reading: source)
  let free: [UInt8] = [0, 0, 0, 16, 0x66, 0x72, 0x65, 0x65, 0, 0, 0, 0, 0, 0, 0, 0]
  try attempt(tree, of: source) { editor throws(EditError) in
    try editor.insert(Extent(free), at: .file(index: 0))
  }
  try attempt(tree, of: source) { editor throws(EditError) in
    var repair = RecordRepair()
    repair.entry = .hvc1
    repair.inBandSets = .record
    repair.rebuildsFields = true
    _ = try repair.apply(to: &editor)
  }
}

private func attempt(
  _ tree: BoxTree, of source: MemorySource,
  _ change: (inout BoxEditor) throws(EditError) -> Void
) throws {
  var editor = BoxEditor(tree, of: source)
  let edited: EditedFile
  do throws(EditError) {
    try change(&editor)
    edited = try editor.finished()
  } catch {
    return
  }
  let written = try edited.tree.bytes()
  try expect(written.count == edited.count, "the file has another size than was promised")
  _ = try BoxTree(reading: MemorySource(written))
}
