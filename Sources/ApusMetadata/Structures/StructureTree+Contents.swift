// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusRaster

extension StructureTree {
  /// The maximum size of Exif that is read, more than any camera writes.
  private static let longestExif = 1 << 24

  /// Reads the directories of a TIFF stream.
  mutating func directories(_ data: Extent) throws(SyntaxError) -> [FileStructure] {
    guard data.count <= Self.longestExif else {
      report("limit", "TIFF", data.range.lowerBound, "is longer than \(Self.longestExif) bytes")
      return []
    }
    var data = data
    // Some writers put the identifier of JPEG before the stream in other files, too.
    if try data.prefix(JPEGSegment.exif.count).bytes() == JPEGSegment.exif {
      data = Extent(
        data.source, data.range.lowerBound + JPEGSegment.exif.count..<data.range.upperBound)
    }
    let bytes = try data.bytes()
    let tree: TIFFTree
    do throws(SyntaxError) { tree = try TIFFTree(bytes) } catch {
      // Exif may continue in a second segment.
      if bytes.starts(with: "II".utf8) || bytes.starts(with: "MM".utf8) {
        report("malformed", "TIFF", data.range.lowerBound, error.message)
      }
      return []
    }
    let start = data.range.lowerBound
    var stream = FileStructure("TIFF", data)
    try fill(&stream, TIFFHeader(), start..<start + TIFFHeader.size)
    for problem in tree.problems { report("malformed", "TIFF", start, problem.text) }
    for place in tree.places where mayRead(start + place.offset) {
      let range = start + place.range.lowerBound..<start + place.range.upperBound
      var directory = FileStructure(place.role.name, Extent(data.source, range))
      try fill(&directory, TIFFDirectory(tree.order), range)
      stream.children.append(directory)
    }
    return [stream]
  }

  /// Reads the header, the table and the tags of an ICC profile: ICC.1:2022, 7.
  ///
  /// - Parameter isPart: whether the data is only the first part.
  mutating func profile(_ data: Extent, isPart: Bool = false) throws(SyntaxError) -> [FileStructure]
  {
    let start = data.range.lowerBound
    var structure = FileStructure("ICC", data)
    let header = data.prefix(ICCHeader.size)
    try fill(&structure, ICCHeader(), header.range)
    guard data.count >= ICCHeader.leastProfile else { return [structure] }
    var reader = SyntaxReader(data.source, range: header.range.upperBound..<data.range.upperBound)
    var table = ICCTagTable()
    try table.syntax(&reader)
    try fill(&structure, table, header.range.upperBound..<reader.position)
    if table.count > table.tags.count {
      report("truncated", "ICC", reader.position, "\(table.count) tags are announced")
    }
    // Tags may share their data, which profiles made to cost time do.
    var left = Limits().growth * data.count
    for tag in table.tags where mayRead(start) {
      left -= Int(tag.size)
      guard left >= 0 else {
        report("limit", "ICC", start, "has tags that share data more often than is read")
        break
      }
      let range = start + tag.range.lowerBound..<start + tag.range.upperBound
      guard range.upperBound <= data.range.upperBound else {
        if !isPart {
          report("truncated", "ICC/\(tag.signature)", data.range.upperBound, "is beyond the end")
        }
        continue
      }
      var element = FileStructure(tag.signature.description, Extent(data.source, range))
      let type = ICCTypeHeader(reading: try Extent(data.source, range).prefix(8).bytes())
      try fill(&element, Self.declaration(ofType: type?.signature), range)
      structure.children.append(element)
    }
    return [structure]
  }

  private static func declaration(ofType type: FourCC?) -> any SyntaxStructure {
    switch type {
    case "XYZ ": ICCXYZ()
    case "curv": ICCCurve()
    case "para": ICCParametricCurve()
    case "mluc": ICCLocalizedText()
    case "desc": ICCDescription()
    case "cicp": ICCCodePoints()
    default: ICCTypeHeader()
    }
  }
}

extension TIFFTree.Role {
  fileprivate var name: String {
    switch self {
    case .image(let number): "IFD\(number)"
    case .exif: "Exif"
    case .gps: "GPS"
    case .other: "IFD"
    }
  }
}
