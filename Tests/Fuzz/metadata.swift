// SPDX-License-Identifier: MIT

import ApusBytes

@testable import ApusMetadata

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
  try checkEdits(bytes)
}

/// Metadata is changed, and a second time it is as it was asked to be.
private func checkEdits(_ bytes: [UInt8]) throws {
  var strip = MetadataEdits()
  strip.strip = [.gps, .thumbnail, .preview]
  var set = MetadataEdits()
  set.time = PhotoTime("2024-01-31T12:00:00+01:00").map { .set($0) }
  set.position = ExifPosition(latitude: -33.8568, longitude: 151.2153, altitude: 4)
  (set.texts.title, set.texts.caption, set.texts.keywords) = ("ä", "caption", ["a", "b"])
  (set.rating, set.orientation, set.addsOrientation) = (3, 6, true)
  set.size = (40, 30)
  set.thumbnail = .init([0xFF, 0xD8, 0xFF, 0xD9], width: 4, height: 3)
  var beside = MetadataEdits()
  beside.zone = "+01:00"
  if let facts = try? TakeoutSidecar(bytes).facts { beside.fallback = facts }
  try? XMPSidecar(bytes).add(to: &beside)
  beside.track = try? RecordedTrack(gpx: bytes)
  for edits in [strip, set, beside] {
    for source in [
      SourceMetadata(exif: bytes), SourceMetadata(xmp: bytes), SourceMetadata(iptc: bytes),
    ] {
      guard let once = try? EditedMetadata(source, by: edits) else { continue }
      let changed = SourceMetadata(exif: once.exif, xmp: once.xmp, iptc: once.iptc)
      // Damaged Exif may be a heap of parts that overlap, of which a change of one is a change of others.
      if let exif = source.exif.map(ExifReader.withoutIdentifier), let tree = try? TIFFTree(exif),
        !tree.problems.isEmpty
      {
        _ = try? EditedMetadata(changed, by: edits)
        continue
      }
      let twice = try EditedMetadata(changed, by: edits)
      try expect(
        (twice.exif, twice.xmp, twice.iptc) == (once.exif, once.xmp, once.iptc),
        "a second change differs")
    }
  }
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
