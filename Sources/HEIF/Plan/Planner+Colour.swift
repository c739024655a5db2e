// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ISOBMFF

extension Planner {
  /// Returns the colour of an item: from its own `colr`, then from those of the pictures that it is derived from, then
  /// from the stream.
  mutating func colour(of item: Item, _ source: PlannedSource?) -> PlannedColour {
    var search = ColourSearch()
    var next: Item? = item
    var visited: Set<UInt32> = []
    while let item = next, visited.insert(item.id).inserted {
      // The colour of a tone map describes the picture with its gain map applied.
      for property in item.properties where property.type == "colr" && item.type != "tmap" {
        search.add(property.located, of: item.title)
      }
      next = item.targets("dimg").first.flatMap(graph.item)
    }
    let colour = search.result(with: source)
    for finding in search.findings { report(finding) }
    return colour
  }
}

/// The colour information found for a picture, the closest first.
struct ColourSearch {
  private var codePoints: (box: ColourInformation, owner: String, located: LocatedNode)?
  private var profile: (extent: Extent, owner: String)?
  private(set) var findings: [Finding] = []

  mutating func add(_ located: LocatedNode, of owner: String) {
    guard let box = located.box(ColourInformation.self) else {
      report(
        .warning, "colr-unreadable", located, "colr of \(owner) cannot be read and is ignored")
      return
    }
    switch box.colourType {
    case "nclx", "nclc":
      if let known = codePoints, known.owner == owner {
        report(
          .warning, "colr-twice", located,
          "\(owner) has two colr with code points; the first is used")
      }
      codePoints = codePoints ?? (box, owner, located)
    case "prof", "rICC":
      if let known = profile, known.owner == owner {
        report(
          .warning, "colr-twice", located, "\(owner) has two ICC profiles; the first is used")
      }
      profile = profile ?? (box.profile, owner)
    default:
      report(
        .warning, "colr-unknown", located,
        "colr of \(owner) has the unknown type \(box.colourType)")
    }
  }

  private mutating func report(
    _ severity: Finding.Severity, _ rule: String, _ located: LocatedNode, _ message: String
  ) {
    findings.append(
      Finding(
        severity, rule: rule, path: located.path, offset: located.node.start, message: message))
  }

  /// Returns the combined colour. Code points take precedence over the stream field by field; unspecified fields are
  /// taken from the stream.
  mutating func result(with source: PlannedSource?) -> PlannedColour {
    var colour = PlannedColour()
    var origins: [String] = []
    colour.profile = profile?.extent
    if let profile { origins.append("ICC profile of \(profile.owner)") }
    let stream = source?.colour
    var description = ColourDescription(isFullRange: source?.codec.isFullRangeUnlessSaid ?? true)
    if let (box, owner, located) = codePoints {
      origins.append("\(box.colourType) of \(owner)")
      description.primaries = Int(box.colourPrimaries)
      description.transfer = Int(box.transferCharacteristics)
      description.matrix = Int(box.matrixCoefficients)
      let saysRange = box.colourType == "nclx" && box.hasFullRangeFlag
      if saysRange { description.isFullRange = box.fullRangeFlag }
      if let stream {
        compare(stream, description, saysRange: saysRange, located, owner)
        if !saysRange { description.isFullRange = stream.isFullRange }
      }
      checkPoints(description, source, located, owner)
    } else if let stream {
      description.isFullRange = stream.isFullRange
    }
    let known = description
    if let stream {
      if description.primaries == 2 { description.primaries = stream.primaries }
      if description.transfer == 2 { description.transfer = stream.transfer }
      if description.matrix == 2 { description.matrix = stream.matrix }
      if codePoints == nil || known != description { origins.append("the stream") }
    }
    colour.description = description
    if !origins.isEmpty { colour.origin = origins.joined(separator: ", ") }
    return colour
  }

  /// Reports code points that are reserved, or that samples of this format cannot have.
  private mutating func checkPoints(
    _ points: ColourDescription, _ source: PlannedSource?, _ located: LocatedNode, _ owner: String
  ) {
    var oddities: [String] = []
    for (name, value, known) in [
      ("primaries", points.primaries, Self.primaries),
      ("transfer", points.transfer, Self.transfers),
      ("matrix", points.matrix, Self.matrices),
    ] where !known.contains(value) {
      oddities.append("\(name) \(value), which is undefined")
    }
    if points.matrix == 0, let format = source?.format, format.chroma != .yuv444,
      format.chroma != .monochrome
    {
      oddities.append("matrix 0 (red, green, blue) with subsampled chroma")
    }
    guard !oddities.isEmpty else { return }
    report(
      .warning, "colour-odd", located, "colr of \(owner) has \(oddities.joined(separator: ", "))")
  }

  /// The code points of Rec. ITU-T H.273, tables 2 to 4.
  private static let primaries: Set<Int> = Set(1...12).union([22]).subtracting([3])
  private static let transfers: Set<Int> = Set(1...18).subtracting([3])
  private static let matrices: Set<Int> = Set(0...17).subtracting([3])

  private mutating func compare(
    _ stream: ColourDescription, _ points: ColourDescription, saysRange: Bool,
    _ located: LocatedNode, _ owner: String
  ) {
    var differences: [String] = []
    for (name, left, right) in [
      ("matrix", points.matrix, stream.matrix), ("primaries", points.primaries, stream.primaries),
      ("transfer", points.transfer, stream.transfer),
    ] where left != 2 && right != 2 && left != right {
      differences.append("\(name) \(left), not \(right)")
    }
    if saysRange, points.isFullRange != stream.isFullRange {
      differences.append(points.isFullRange ? "full range, not limited" : "limited range, not full")
    }
    guard !differences.isEmpty else { return }
    report(
      .warning, "colour-contradiction", located,
      "\(owner) has \(differences.joined(separator: ", ")) as in the stream; the item's values are used"
    )
  }
}

extension PictureCodec {
  /// The default range: video codecs infer limited range (ITU-T H.265, E.3.1).
  fileprivate var isFullRangeUnlessSaid: Bool {
    switch self {
    case .hevc, .avc, .av1, .item("vvc1"), .item("evc1"): false
    case .jpeg, .png, .pngAlpha, .raster, .item: true
    }
  }
}
