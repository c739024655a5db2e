// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMetadata
import TestSupport

/// The bytes of a file of `Fixtures`.
func fixture(_ name: String) throws -> [UInt8] {
  let source = try Fixture.source(name)
  return try source.bytes(in: 0..<source.count)
}

func asking(
  width: Int = 16, height: Int = 16, orientation: Int = 1,
  strip: MetadataChoices.Strip = .nothing, thumbnail: [UInt8]? = nil,
  target: MetadataChoices.Target = .jpeg
) -> MetadataChoices {
  var choices = MetadataChoices(width: width, height: height)
  choices.orientation = orientation
  choices.strip = strip
  choices.thumbnail = thumbnail
  choices.target = target
  return choices
}

/// Segments taken apart again: marker and body of each; `nil` where a length lies.
func takenApart(_ segments: [[UInt8]]) -> [(marker: UInt8, body: ArraySlice<UInt8>)]? {
  var parts: [(marker: UInt8, body: ArraySlice<UInt8>)] = []
  for segment in segments {
    guard segment.count >= 4, segment[0] == 0xFF,
      Int(segment[2]) << 8 | Int(segment[3]) == segment.count - 2
    else { return nil }
    parts.append((segment[1], segment[4...]))
  }
  return parts
}
