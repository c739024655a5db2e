// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import HEVC
internal import ISOBMFF

extension ItemGraph {
  /// Creates the items that a `mini` box is equivalent to: ISO/IEC 23008-12, O.4. The picture is item 1, its alpha 2,
  /// Exif 6 and XMP 7; a gain map is omitted. `nil` if the file has no such box that can be read.
  init?(minimizedIn tree: BoxTree) {
    guard let located = tree.located.first(where: { $0.node.type == "mini" }),
      let image = located.box(MinimizedImage.self)
    else { return nil }
    let brand = tree.located.first?.box(FileType.self)
    let box = MinimizedBox(image: image, located: located, minorVersion: brand?.minorVersion ?? 0)
    self.init(box.items, primaryID: 1, data: box.data)
  }
}

/// A `mini` box to be converted to items.
private struct MinimizedBox {
  let image: MinimizedImage
  let located: LocatedNode
  let minorVersion: UInt32

  private var isAV1: Bool { !image.hasExplicitCodecTypes && FourCC(minorVersion) == "avif" }
  private var itemType: FourCC { isAV1 ? "av01" : image.itemType }
  private var configurationType: FourCC { isAV1 ? "av1C" : image.codecConfigurationType }
  private var width: Int { Int(image.widthMinus1) + 1 }
  private var height: Int { Int(image.heightMinus1) + 1 }

  var data: [UInt32: Extent] {
    let chunks = image.chunks
    var data: [UInt32: Extent] = [1: chunks.mainData]
    if !chunks.alphaData.isEmpty { data[2] = chunks.alphaData }
    if image.hasExif { data[6] = chunks.exif }
    if image.hasXMP { data[7] = chunks.xmp }
    return data
  }

  var items: [Item] {
    var picture = item(1, itemType)
    picture.properties = numbered(mainProperties)
    var items = [picture]
    if !image.chunks.alphaData.isEmpty {
      var alpha = item(2, itemType)
      alpha.isHidden = true
      alpha.properties = numbered(alphaProperties, after: picture.properties.count)
      alpha.references = [ItemGraph.Reference(type: "auxl", from: 2, to: [1])]
      if image.alphaIsPremultiplied {
        items[0].references = [ItemGraph.Reference(type: "prem", from: 1, to: [2])]
      }
      items.append(alpha)
    }
    let encoding = image.chunks.exifAndXMPAreCompressed ? "deflate" : ""
    for (id, type, isThere) in [(6, "Exif" as FourCC, image.hasExif), (7, "mime", image.hasXMP)]
    where isThere {
      var metadata = item(UInt32(id), type)
      metadata.contentType = type == "mime" ? "application/rdf+xml" : ""
      metadata.contentEncoding = encoding
      metadata.isHidden = true
      metadata.references = [ItemGraph.Reference(type: "cdsc", from: UInt32(id), to: [1])]
      items.append(metadata)
    }
    return items
  }

  private func item(_ id: UInt32, _ type: FourCC) -> Item {
    var entry = ItemInformationEntry()
    (entry.itemID, entry.itemType) = (id, type)
    return Item(entry, located)
  }

  private func numbered(_ nodes: [Node], after count: Int = 0) -> [ItemProperty] {
    nodes.enumerated().map { index, node in
      ItemProperty(
        located: LocatedNode(node, in: located),
        index: count + index + 1, isEssential: false)
    }
  }

  private var mainProperties: [Node] {
    var extents = ImageSpatialExtents()
    (extents.width, extents.height) = (UInt32(width), UInt32(height))
    var nodes = [
      configuration(image.chunks.mainConfiguration), Node("ispe", extents),
      Node("colr", codePoints),
    ]
    if image.hasICC {
      var profile = ColourInformation()
      (profile.colourType, profile.profile) = ("prof", image.chunks.icc)
      nodes.append(Node("colr", profile))
    }
    return nodes + placement
  }

  private var alphaProperties: [Node] {
    var extents = ImageSpatialExtents()
    (extents.width, extents.height) = (UInt32(width), UInt32(height))
    var type = AuxiliaryType()
    type.auxType = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"
    let own = image.chunks.alphaConfiguration
    return [
      configuration(own.isEmpty ? image.chunks.mainConfiguration : own), Node("ispe", extents),
      Node("auxC", type),
    ] + placement
  }

  private var codePoints: ColourInformation {
    var colour = ColourInformation()
    colour.colourPrimaries = UInt16(image.colourPrimaries)
    colour.transferCharacteristics = UInt16(image.transferCharacteristics)
    colour.matrixCoefficients = UInt16(image.matrixCoefficients)
    if !image.hasExplicitCICP, image.hasICC {
      // The profile determines primaries and transfer.
      (colour.colourPrimaries, colour.transferCharacteristics) = (2, 2)
    }
    if image.chromaSubsampling == 0 { colour.matrixCoefficients = 2 }
    colour.fullRangeFlag = image.isFullRange
    return colour
  }

  /// The boxes `irot` and `imir` of the orientation, which is numbered as in Exif.
  private var placement: [Node] {
    guard let orientation = Orientation(exif: Int(image.orientationMinus1) + 1),
      orientation != .upright
    else { return [] }
    var nodes: [Node] = []
    if orientation.isMirrored {
      var mirror = ImageMirror()
      mirror.axis = 1
      nodes.append(Node("imir", mirror))
    }
    if orientation.quarterTurns > 0 {
      var turn = ImageRotation()
      turn.angle = UInt8(4 - orientation.quarterTurns)
      nodes.append(Node("irot", turn))
    }
    return nodes
  }

  /// Returns the box whose body is the configuration.
  private func configuration(_ body: Extent) -> Node {
    let opaque = Node(
      header: BoxHeader(configurationType), content: .opaque(body, .unknown))
    do throws(SyntaxError) {
      let tree = try BoxTree(reading: MemorySource(try BoxTree(boxes: [opaque]).bytes()))
      return tree.boxes.first ?? opaque
    } catch {
      return Node(header: BoxHeader(configurationType), content: .opaque(body, .malformed(error)))
    }
  }
}
