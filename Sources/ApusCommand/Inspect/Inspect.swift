// SPDX-License-Identifier: MIT

import ApusBytes
import ApusJSON
import ApusMedia
import ISOBMFF

/// `apus inspect`: shows every box and field of a file.
struct Inspect: Verb {
  static let name = "inspect"
  static let summary = "show every box and field of MP4, MOV, HEIF, JPEG, PNG, WebP and ICC"
  static let discussion = """
    Prints one line for each box: type, offset (@), size (+), version and flags if it has them, and its fields \
    with their names from the standard. Tables show only the number of rows; --full prints them. Errors and \
    their positions follow the tree. A broken file is shown as far as it can be read.

    A box is named by its path, such as moov/trak[1]/mdia. The index counts boxes of the same type from 0; a \
    step without an index means all of them. The chunks of a PNG or WebP, the segments of a JPEG, the directories \
    of Exif, the tags of an ICC profile and the boxes of Content Credentials are shown and named in the same way: \
    APP2[1]/ICC/desc, APP11/jumb/jumb.

    --at names everything that contains a byte: the box, in media data also the sample or item, its NAL unit, and \
    the field of a slice header, parameter set or message. --samples shows the NAL units of each picture of HEVC and \
    H.264, in tracks, items and bare streams: the fields of slice headers, parameter sets, SEI messages and Dolby \
    Vision RPUs. --depth 1 shows only the samples, --depth 2 also the types of their NAL units.
    """
  static let examples = [
    Example("apus inspect photo.heic", "Shows the box tree."),
    Example(
      "apus inspect --path moov/trak[1]/mdia movie.mp4", "Shows the media of the second track."),
    Example(
      "apus inspect --at 0x1f4 movie.mp4", "Shows the box and field of the byte at offset 500."),
    Example(
      "apus inspect --samples=1-25 movie.mp4",
      "Shows the slice headers of the first 25 pictures."),
    Example(
      "apus inspect --hex --path meta/iprp/ipco photo.heic", "Shows the bytes next to the fields."),
    Example(
      "apus inspect --json photo.heic | jq '.boxes[].type'", "Lists the top-level boxes from JSON."),
    Example("apus inspect -r photos", "Shows all files in a folder and its subfolders."),
  ]

  var inputs = InputOptions()
  var path: InspectedPath?
  var offset: UInt?
  var samples: SampleRange?
  var track: UInt?
  var depth: UInt?
  var bytes = false
  var full = false
  var json = false
  var limits = LimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.group(&inputs)
    try v.option(
      "path", short: "p", "PATH", &path, excludes: ["samples"], "show only the boxes at PATH")
    try v.option(
      "at", "OFFSET", &offset, excludes: ["samples"],
      "show the box, sample, field and bits of the byte at OFFSET")
    try v.flag(
      "samples", "RANGE", &samples, bare: .all,
      """
      show the slice headers and messages of pictures
      RANGE is numbers from 1, such as 12 or 1-25, or times, such as 1m30s or 90s-95s
      """)
    try v.option("track", "ID", &track, needs: "samples", "show only the samples of this track")
    try v.option("depth", short: "d", "N", &depth, "show only N levels of boxes")
    try v.flag("hex", &bytes, "show the bytes next to the fields, one field per line")
    try v.flag("full", &full, "show tables and long byte values in full")
    try v.json(&json)
    try v.group(&limits)
  }

  func run(_ console: Console) throws -> ExitStatus {
    var shown = 0
    try inputs.opened(console, limits.limits).each { input in
      let title = inputs.several && !json ? "\(input.name):\n" : ""
      if let samples {
        try show(samples, title, of: input, on: console)
      } else if let offset, try FileKind(of: input.source) == .annexB {
        let answer = try InspectAt(Int(offset), inStream: input.source, limits: limits.limits)
        try show(answer, offset, title, of: input, on: console)
      } else {
        let file = try InspectedFile(input, limits.limits)
        try show(file, title, of: input, on: console)
      }
      shown += 1
    }
    return shown > 0 ? .done : .nothingToDo
  }

  private func show(
    _ file: InspectedFile, _ title: String, of input: Input, on console: Console
  ) throws {
    var output = ResultStream(console: console)
    if let offset {
      return try show(
        try InspectAt(Int(offset), in: file), offset, title, of: input, on: console)
    }
    let boxes = try path.map { try file.nodes(at: $0) } ?? file.nodes
    if let path, boxes.isEmpty { throw NothingThere("there is no box at \(path.argument)") }
    let depth = depth.map { Int($0) } ?? .max
    if json {
      var writer = JSONWriter(output)
      try InspectJSON(isFull: full, depth: depth).write(
        file, boxes, name: input.name, size: input.source.count, to: &writer)
      writer.endDocument()
    } else {
      let column = bytes ? ByteColumn(source: input.source, isFull: full) : nil
      let text = InspectText(isFull: full, depth: depth, bytes: column, palette: Palette(console))
      output.write(title)
      try text.write(boxes, to: &output)
      text.write(file.findings, to: &output)
    }
  }
}

extension Inspect {
  private func show(
    _ answer: InspectAt?, _ offset: UInt, _ title: String, of input: Input, on console: Console
  ) throws {
    guard let answer else {
      throw NothingThere("has \(input.source.count) bytes; byte \(offset) is past the end")
    }
    let output = ResultStream(console: console)
    guard json else { return output.write(title + answer.text(palette: Palette(console))) }
    var writer = JSONWriter(output)
    try answer.write(file: input.name, to: &writer)
    writer.endDocument()
  }

  private func show(
    _ range: SampleRange, _ title: String, of input: Input, on console: Console
  ) throws {
    let samples = InspectSamples(range: range, track: track, limits: limits.limits)
    let output = ResultStream(console: console)
    let depth = depth.map { Int($0) } ?? .max
    if json { return try samples.writeJSON(input, depth: depth, to: output) }
    let text = FieldText(
      column: bytes ? ByteColumn(source: input.source, isFull: full) : nil, isFull: full,
      palette: Palette(console))
    try samples.write(input, title, depth: depth, text, to: output)
  }
}

extension BoxPath: ArgumentValue {
  init?(argument: String) { self.init(argument) }
  static var expected: String { "a path of boxes, such as moov/trak[1]/mdia" }
  var argument: String { description }
}
