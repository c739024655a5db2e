// SPDX-License-Identifier: MIT

// Turns metadata in files into what a JPEG carries, for tests that let other programs read it.
// Segments, or with --png the Exif alone, go to standard output, warnings to standard error.

import ApusBytes
import ApusFiles
import ApusMetadata

/// What stands after an option.
func option(_ name: String) -> String? {
  guard let index = CommandLine.arguments.firstIndex(of: name),
    index + 1 < CommandLine.arguments.count
  else { return nil }
  return CommandLine.arguments[index + 1]
}

func contents(_ name: String) throws -> [UInt8]? {
  try option(name).map {
    let source = try FileSource($0)
    return try source.bytes(in: 0..<source.count)
  }
}

func number(_ name: String) -> Int? { option(name).flatMap(Int.init) }

let source = SourceMetadata(
  exif: try contents("--exif"), xmp: try contents("--xmp"), iptc: try contents("--iptc"),
  icc: try contents("--icc"))
var choices = MetadataChoices(width: number("--width") ?? 16, height: number("--height") ?? 16)
choices.orientation = number("--orientation") ?? 1
choices.strip = option("--strip") == "gps" ? .gps : option("--strip") == "all" ? .all : .nothing
choices.thumbnail = try contents("--thumbnail")
choices.target = CommandLine.arguments.contains("--png") ? .png : .jpeg

let prepared = PreparedMetadata(source, for: choices)
let output = DescriptorWriter(1, name: "standard output")
let pieces = choices.target == .png ? [prepared.exif ?? []] : prepared.jpegSegments()
for piece in pieces { try output.write(piece.span) }
try output.flush()
let messages = DescriptorWriter(2, name: "standard error")
for warning in prepared.warnings { try messages.write(warning + "\n") }
try messages.flush()
