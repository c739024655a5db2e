// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusRaster

extension StructureTree {
  /// Reads the chunks: RFC 9649, 2.
  mutating func readWebP(_ data: Extent) throws(SyntaxError) {
    let head = data.prefix(WebPFileHeader.size)
    let header = WebPFileHeader(reading: try head.bytes())
    let end = header?.end ?? data.count
    if end > data.count {
      report("truncated", "RIFF", data.count, "the file should end at byte \(end)")
    }
    let content = data.prefix(max(end, head.count))
    var file = FileStructure("RIFF", content)
    try fill(&file, WebPFileHeader(), head.range)
    file.children = try chunks(content, from: head.range.upperBound, isFrame: false)
    structures = try [file] + rest(of: data, from: content.range.upperBound, "after the file")
  }

  private mutating func chunks(_ data: Extent, from start: Int, isFrame: Bool) throws(SyntaxError)
    -> [FileStructure]
  {
    var place = start
    var found: [FileStructure] = []
    while let chunk = try WebPChunk(in: data, at: place), mayRead(place) {
      let body = chunk.body
      let whole = Extent(data.source, place..<body.range.upperBound)
      var structure = FileStructure(chunk.type.description, whole)
      structure.add(header: WebPChunkHeader(), WebPChunkHeader.size)
      if !chunk.isComplete {
        report(
          "truncated", structure.name, body.range.upperBound,
          "the chunk ends at byte \(chunk.range.upperBound), its data at \(body.range.upperBound)")
      }
      if chunk.type == "ANMF", !isFrame {
        let head = body.prefix(WebPFrame.size)
        try fill(&structure, WebPFrame(), head.range)
        structure.children = try chunks(body, from: head.range.upperBound, isFrame: true)
      } else {
        try fill(&structure, Self.declaration(chunk.type), body.range)
      }
      switch chunk.type {
      case "ICCP": structure.children = try profile(body)
      case "EXIF": structure.children = try directories(body)
      case "C2PA": structure.boxes = [body.range]
      default: break
      }
      found.append(structure)
      place = min(chunk.next, data.range.upperBound)
    }
    return try found + rest(of: data, from: place, "no chunk")
  }

  private static func declaration(_ type: FourCC) -> (any SyntaxStructure)? {
    switch type {
    case "VP8X": WebPExtendedHeader()
    case "VP8 ": VP8FrameHeader()
    case "VP8L": VP8LHeader()
    case "ALPH": WebPAlpha()
    case "ANIM": WebPAnimation()
    case "ICCP", "EXIF", "C2PA": FileStructure.Bytes()
    case "XMP ": WebPXMP()
    default: nil
    }
  }
}
