// SPDX-License-Identifier: MIT

// begin
import ApusBytes
import ApusFiles
import ApusRecords
import ISOBMFF

/// Corrects the HEVC records of a movie: in place if the file keeps its size, otherwise by a new file.
func repair(_ path: String) throws {
  let file = try FileSource(path)
  var editor = BoxEditor(try BoxTree(reading: file), of: file)
  var repair = RecordRepair()
  repair.rebuildsFields = true
  _ = try repair.apply(to: &editor)
  let edited = try editor.finished()
  if let splices = edited.splices {
    try FilePatch.apply(splices.map { ($0.range.lowerBound, $0.bytes) }, to: file)
  } else if let output = try FileOutput(path, onExists: .replace) {
    var writer = SyntaxWriter(output.writer)
    try edited.tree.write(to: &writer)
    _ = try output.commit()
  }
}
// end
