// SPDX-License-Identifier: MIT

// begin
import ApusMetadata

/// The model of the camera and the time of the photo.
func camera(in exif: [UInt8]) -> (model: String, taken: String)? {
  guard let facts = ExifFacts(exif) else { return nil }
  return (facts.model ?? "", facts.taken ?? "")
}
// end
