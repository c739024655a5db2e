// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMetadata

/// Whatever the metadata of a picture is, what comes of it fits the segments of a JPEG.
func fuzz(_ bytes: [UInt8]) throws {
  var choices = MetadataChoices(width: 70_000, height: 1)
  try check(bytes, choices)
  choices.orientation = 6
  choices.strip = .gps
  choices.thumbnail = [0xFF, 0xD8, 0xFF, 0xD9]
  try check(bytes, choices)
  // As large as what has to be cut down and divided.
  try check(bytes + Array(repeating: 0, count: 70_000), choices)
  choices.gainMap = AppendedGainMap(size: 1)
  try check(bytes, choices)
  try checkGainMap(bytes)
}

/// Whatever is said of a gain map, what comes of it has the size of its parameters.
private func checkGainMap(_ bytes: [UInt8]) throws {
  let sources: [([UInt8]?, [UInt8]?, [UInt8]?, [UInt8]?)] = [
    (bytes, nil, nil, nil), (nil, bytes, nil, nil), (nil, nil, bytes, nil), (nil, nil, nil, bytes),
  ]
  for (toneMap, segment, xmp, exif) in sources {
    guard
      let map = try? GainMapDescription(
        toneMap: toneMap, segment: segment, xmp: xmp, exif: exif, isApple: true)
    else { continue }
    try expect(map.headroom.isFinite && map.payload.count >= 37, "the parameters are not whole")
    _ = PreparedMetadata.gainMapSegments(map)
    if let other = try? map.reversed() {
      try expect(try other.reversed().parameters == map.parameters, "a map turned twice differs")
    }
  }
  guard let segments = try? JPEGSegments(Extent(bytes)),
    let map = try? JPEGGainMap(behind: segments, in: MemorySource(bytes))
  else { return }
  try expect(map.data.range.upperBound <= bytes.count, "a map ends after its file")
}

private func check(_ bytes: [UInt8], _ choices: MetadataChoices) throws {
  for source in [
    SourceMetadata(exif: bytes), SourceMetadata(xmp: bytes), SourceMetadata(iptc: bytes),
  ] {
    for segment in PreparedMetadata(source, for: choices).jpegSegments() {
      try expect(
        segment.count > 4 && Int(segment[2]) << 8 | Int(segment[3]) == segment.count - 2,
        "a segment has the wrong length")
    }
  }
}
