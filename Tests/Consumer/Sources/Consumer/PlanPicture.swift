// SPDX-License-Identifier: MIT

// begin
import ApusBytes
import HEIF
import ISOBMFF

/// The number of coded pictures, such as the tiles of a grid, from which a photo is composed.
func codedPictures(in photo: [UInt8]) throws(SyntaxError) -> Int {
  let file = PhotoFile(try BoxTree(reading: MemorySource(photo)))
  return try file.plan(file.primaryPicture()).sources.count
}
// end
