// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusRaster

extension StructureTree {
  /// Reads the signature and the chunks: PNG (Third Edition), 5.
  mutating func readPNG(_ data: Extent) throws(SyntaxError) {
    var place = min(PNGSignature.size, data.count)
    var signature = FileStructure("signature", data.prefix(place))
    try fill(&signature, PNGSignature(), 0..<place)
    structures.append(signature)
    var colourType: UInt8 = 0
    while let chunk = try PNGChunk(in: data, at: place), mayRead(place) {
      var structure = FileStructure(chunk.type.description, chunk.whole)
      structure.add(header: PNGChunkHeader(), PNGChunkHeader.size)
      let body = chunk.body
      if chunk.type == "IHDR" {
        let header = PNGImageHeader(reading: try body.prefix(PNGImageHeader.size).bytes())
        colourType = header?.colourType ?? 0
      }
      if chunk.isComplete {
        try fill(&structure, Self.declaration(chunk.type, colourType), body.range)
        try structure.add(PNGChecksum(), chunk.checksum.range)
        if try !chunk.isIntact() {
          report("checksum", structure.name, chunk.checksum.range.lowerBound, "crc is wrong")
        }
      } else {
        let end = data.range.upperBound
        report(
          "truncated", structure.name, end,
          "the chunk ends at byte \(chunk.range.upperBound), the file at byte \(end)")
        try structure.add(nil, body.range.lowerBound..<end)
        structure.reason = "truncated"
      }
      if chunk.type == "eXIf" { structure.children = try directories(body) }
      if chunk.type == "caBX", chunk.isComplete { structure.boxes = [body.range] }
      structures.append(structure)
      place = min(chunk.range.upperBound, data.range.upperBound)
      if chunk.type == "IEND" { break }
    }
    if structures.last?.name != "IEND", !isLimited {
      report("truncated", "", place, "the picture has no end (IEND)")
    }
    structures += try rest(of: data, from: place, "no chunk")
  }

  /// Returns the declaration of a chunk's data; `nil` if there is none.
  private static func declaration(_ type: FourCC, _ colourType: UInt8) -> (any SyntaxStructure)? {
    switch type {
    case "IHDR": PNGImageHeader()
    case "PLTE": PNGPalette()
    case "tRNS" where colourType == 3: PNGPaletteAlpha()
    case "tRNS", "sBIT", "bKGD": PNGChannels(type, colourType: colourType)
    case "gAMA": PNGGamma()
    case "cHRM": PNGChromaticities()
    case "sRGB": PNGStandardColour()
    case "cICP": CodePoints()
    case "mDCV": PNGMasteringDisplay()
    case "cLLI": PNGContentLight()
    case "iCCP": PNGEmbeddedProfile()
    case "pHYs": PNGPhysicalDimensions()
    case "tEXt", "zTXt": PNGText(isCompressed: type == "zTXt")
    case "iTXt": PNGInternationalText()
    case "tIME": PNGTime()
    case "IDAT", "IEND", "eXIf", "caBX": FileStructure.Bytes()
    default: nil
    }
  }
}
