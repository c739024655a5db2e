// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import HEIF
import ISOBMFF

/// Items with other data, fewer items, a picture that is turned: refused with a reason, or written with the size that was
/// promised, and all other items as they were.
func fuzz(_ bytes: [UInt8]) throws {
  let file = try PhotoFile(BoxTree(reading: MemorySource(bytes)))
  guard let editor = try? ItemEditor(file) else { return }
  for count in [0, 3, 200] {
    try attempt(editor, file) { editor in
      for item in try editor.metadataItems() {
        editor.set(item, to: Array(repeating: 7, count: count))
      }
    }
  }
  try attempt(editor, file) { editor in _ = try editor.turn(Orientation(quarterTurns: 1)) }
  try attempt(editor, file) { editor in
    editor.remove(Set(file.graph.items.filter { $0.auxiliaryURN != nil }.map(\.id)))
    try editor.add(.xmp, Array("new".utf8))
    editor.strippingXMP = { _ in [] }
  }
}

private func attempt(
  _ editor: ItemEditor, _ file: PhotoFile, _ change: (inout ItemEditor) throws -> Void
) throws {
  var editor = editor
  guard (try? change(&editor)) != nil, let edited = try? editor.finished() else { return }
  let written = try edited.tree.bytes()
  try expect(written.count == edited.count, "the file has another size than was promised")
  let result = PhotoFile(try BoxTree(reading: MemorySource(written)))
  let metadata = Set((try? editor.metadataItems())?.map(\.id) ?? [])
  var seen: Set<UInt32> = []
  // Of several items with one ID only the first counts.
  for item in file.graph.items where seen.insert(item.id).inserted {
    guard !metadata.contains(item.id), !editor.removals.contains(item.id),
      let before = try? file.graph.data(of: item.id, in: file.tree.source).flatMap({
        try $0.bytes()
      }),
      !before.isEmpty
    else { continue }
    let after = try? result.graph.data(of: item.id, in: result.tree.source).flatMap {
      try $0.bytes()
    }
    try expect(after == before, "item \(item.id) has other data")
  }
}
