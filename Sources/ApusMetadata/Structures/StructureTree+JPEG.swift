// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusRaster

extension StructureTree {
  /// Reads the markers, segments and coded data of all pictures of the file: ITU-T T.81, B.1.
  mutating func readJPEG(_ data: Extent) throws(SyntaxError) {
    let end = data.range.upperBound
    var place = data.range.lowerBound
    var isWhole = false
    while end - place >= JPEGMarker.size, mayRead(place) {
      let (start, code) = (place, try data.source.bytes(in: place..<place + JPEGMarker.size))
      guard let marker = JPEGMarker(reading: code), marker.prefix == 0xFF, marker.code != 0 else {
        break
      }
      // A marker may follow any number of fill bytes: B.1.1.2.
      if marker.code == 0xFF {
        place = try JPEGSegments.endOfFill(in: data.source, place..<end) - 1
        try addBytes("fill", Extent(data.source, start..<place))
      } else if marker.standsAlone {
        place += JPEGMarker.size
        var structure = FileStructure(marker.name, Extent(data.source, start..<place))
        structure.add(header: marker, JPEGMarker.size)
        structures.append(structure)
        isWhole = marker.name == "EOI"
        // Of the bytes after a picture, only those of another are read.
        if isWhole, try Extent(data.source, place..<end).prefix(2).bytes() != [0xFF, 0xD8] {
          break
        }
      } else {
        place = try addSegment(marker, Extent(data.source, start..<end))
        guard marker.name == "SOS" else { continue }
        let coded = place..<(try Self.endOfCodedData(data, from: place))
        try addBytes("ECS", Extent(data.source, coded))
        place = coded.upperBound
      }
    }
    if !isWhole, !isLimited { report("truncated", "", place, "the picture has no end (EOI)") }
    structures += try rest(of: data, from: place, "no marker")
  }

  private mutating func addBytes(_ name: String, _ bytes: Extent) throws(SyntaxError) {
    guard !bytes.isEmpty else { return }
    var structure = FileStructure(name, bytes)
    try structure.add(FileStructure.Bytes(), bytes.range)
    structures.append(structure)
  }

  /// Returns the end of entropy-coded data, which include `RST0` to `RST7`: B.1.1.5.
  private static func endOfCodedData(_ data: Extent, from start: Int) throws(SyntaxError) -> Int {
    var place = start
    while place < data.range.upperBound {
      let piece = try Extent(data.source, place..<data.range.upperBound).prefix(1 << 18).bytes()
      var index = 0
      while let next = piece[index...].firstIndex(of: 0xFF), next + 1 < piece.count {
        switch piece[next + 1] {
        case 0, 0xD0...0xD7: index = next + 2
        case 0xFF: index = next + 1
        default: return place + next
        }
      }
      // A marker may begin with the last byte of a piece.
      place += max(index, piece.count - (piece.last == 0xFF && piece.count > 1 ? 1 : 0))
    }
    return data.range.upperBound
  }

  /// Adds the segment at the start of the data, and returns its end.
  private mutating func addSegment(_ marker: JPEGMarker, _ rest: Extent) throws(SyntaxError) -> Int
  {
    let headerExtent = rest.prefix(JPEGSegmentHeader.size)
    guard let header = JPEGSegmentHeader(reading: try headerExtent.bytes()) else {
      try addBytes(marker.name, headerExtent)
      return headerExtent.range.upperBound
    }
    let size = max(JPEGMarker.size + Int(header.length), JPEGSegmentHeader.size)
    if size > rest.count {
      report(
        "truncated", marker.name, rest.range.upperBound,
        "length is \(header.length), but only \(rest.count - JPEGMarker.size) bytes follow the marker"
      )
    }
    let segment = rest.prefix(size)
    var structure = FileStructure(marker.name, segment)
    structure.add(header: header, JPEGSegmentHeader.size)
    let body = Extent(rest.source, headerExtent.range.upperBound..<segment.range.upperBound)
    let declaration = Self.declaration(marker, try body.prefix(64).bytes())
    try fill(&structure, declaration, body.range)
    if structure.reason == nil, declaration is JPEGApplicationData {
      var reader = SyntaxReader(body.source, range: body.range)
      var content = JPEGApplicationData()
      try content.syntax(&reader)
      switch content.identifier {
      case "Exif", "MPF": structure.children = try directories(content.data)
      case "ICC_PROFILE" where content.part == 1:
        structure.children = try profile(content.data, isPart: content.partCount > 1)
      default: break
      }
    }
    structures.append(structure)
    if structure.reason == nil, declaration is JPEGBoxSegment { try addBox(body) }
    return segment.range.upperBound
  }

  /// Adds the part of a box in the last segment to the segment in which the box begins.
  private mutating func addBox(_ body: Extent) throws(SyntaxError) {
    var reader = SyntaxReader(body.source, range: body.range)
    var part = JPEGBoxSegment()
    try part.syntax(&reader)
    let payload = part.payload.range
    if part.sequence > 1, let index = boxSegments[part.key] {
      structures[index].boxes.append(payload)
    } else {
      boxSegments[part.key] = structures.count - 1
      structures[structures.count - 1].boxes =
        [payload.lowerBound - part.headerCount..<payload.upperBound]
    }
  }

  private static func declaration(_ marker: JPEGMarker, _ beginning: [UInt8])
    -> (any SyntaxStructure)?
  {
    switch marker.name {
    case "DHT": JPEGHuffmanTables()
    case "DQT": JPEGQuantizationTables()
    case "SOS": JPEGScanHeader()
    case "DRI": JPEGRestartInterval()
    case "DNL": JPEGLineCount()
    case "COM": JPEGComment()
    case "APP0" where beginning.starts(with: JFIFHeader.identifier): JFIFHeader()
    case "APP14" where beginning.starts(with: JPEGAdobeData.identifier): JPEGAdobeData()
    case "APP11" where beginning.starts(with: JPEGBoxSegment.identifier): JPEGBoxSegment()
    case _ where marker.isFrame: JPEGFrameHeader()
    case _ where identifiers.contains(where: { beginning.starts(with: $0) }):
      JPEGApplicationData()
    default: nil
    }
  }

  private static let identifiers = [
    JPEGSegment.exif, JPEGSegment.xmp, JPEGSegment.extendedXMP, JPEGSegment.photoshop,
    JPEGSegment.icc, JPEGSegment.gainMap, MultiPictureIndex.identifier,
  ]
}
