// SPDX-License-Identifier: MIT

// begin
import ApusBytes
import ApusMedia
import ApusMetadata
import ApusStills

/// Returns a photo that does not tell where it was taken.
func shared(_ photo: [UInt8]) throws -> [UInt8] {
  var edits = PhotoEdits()
  edits.metadata.strip = [.gps]
  edits.turn = Orientation(quarterTurns: 1)
  return try EditedPhoto(MemorySource(photo), edits).bytes()
}
// end
