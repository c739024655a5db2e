// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusMedia
internal import ISOBMFF

extension NewItemFile {
  /// Adds the items of a photo, with small data that is needed first before the tiles; returns the ID of its picture.
  @discardableResult
  public mutating func add(_ photo: NewPhoto) throws(SyntaxError) -> UInt32 {
    var thumbnails: [UInt32] = []
    for thumbnail in photo.thumbnails { thumbnails.append(try add(thumbnail, photo.orientation)) }
    var metadata: [UInt32] = []
    if !photo.exif.isEmpty {
      // The bytes before the TIFF header, preceded by their length: ISO/IEC 23008-12, A.2.1.
      let data = [0, 0, 0, 6] + Array("Exif\0\0".utf8) + photo.exif
      metadata.append(add(NewItem("Exif", .media(Extent(data)))))
    }
    if !photo.xmp.isEmpty { metadata.append(add(.xmp(photo.xmp))) }
    if !photo.iptc.isEmpty { metadata.append(add(.mime("application/x-iptc", photo.iptc))) }
    let picture = try add(photo.picture, photo.orientation)
    primaryID = primaryID ?? picture
    note(photo)
    for id in thumbnails { refer(from: id, "thmb", to: [picture]) }
    // They do not refer to the tone map as well, because libheif before 1.16 rejects files whose metadata describes an
    // unknown item.
    for id in metadata { refer(from: id, "cdsc", to: [picture]) }
    for auxiliary in photo.auxiliaries { try add(auxiliary, to: picture, of: photo) }
    return picture
  }

  private mutating func add(_ auxiliary: NewAuxiliary, to picture: UInt32, of photo: NewPhoto)
    throws(SyntaxError)
  {
    let properties = auxiliary.use.properties
    let id = try add(auxiliary.picture, photo.orientation, further: properties)
    if !auxiliary.xmp.isEmpty {
      refer(from: add(.xmp(auxiliary.xmp)), "cdsc", to: [id])
    }
    if auxiliary.isPremultiplied { refer(from: picture, "prem", to: [id]) }
    if !properties.isEmpty { refer(from: id, "auxl", to: [picture]) }
    guard case .gainMap(let toneMap, _) = auxiliary.use else { return }
    hide(id)
    let (width, height) = (photo.picture.width, photo.picture.height)
    let size = photo.orientation.swapsSides ? (height, width) : (width, height)
    let map = add(toneMap.item(of: picture, id, size: size, bitDepth: photo.picture.bitDepth))
    // A reader that supports the tone map prefers it: ISO/IEC 14496-12, 8.18.3.1.
    groups.append(("altr", [map, picture]))
  }

  private mutating func add(
    _ picture: NewPicture, _ orientation: Orientation, further: [NewItem.Property] = []
  ) throws(SyntaxError) -> UInt32 {
    guard picture.tiles.count == picture.rows * picture.columns else {
      throw SyntaxError(
        .misuse, field: "tiles",
        detail: "are \(picture.tiles.count), but a picture of \(picture.columns) columns and "
          + "\(picture.rows) rows has \(picture.rows * picture.columns)")
    }
    let shown =
      picture.information + further + picture.colours
      + NewItem.Property.laying(orientation)
    guard picture.isGrid else {
      var item = NewItem("hvc1", .media(picture.tiles[0]))
      item.properties =
        [
          picture.configuration, .extents(picture.width, picture.height),
        ] + shown
      return add(item)
    }
    let tiles = picture.tiles.map { data in
      var item = NewItem("hvc1", .media(data))
      item.isHidden = true
      item.properties =
        [picture.configuration, .extents(picture.tileWidth, picture.tileHeight)]
        + picture.information + picture.colours
      return add(item)
    }
    var item = NewItem("grid", .description(try picture.grid()))
    item.properties = [.extents(picture.width, picture.height)] + shown
    item.references = [NewItem.Reference(type: "dimg", to: tiles)]
    return add(item)
  }
}

extension NewPicture {
  var configuration: NewItem.Property {
    var box = HEVCConfiguration()
    box.record = record
    return NewItem.Property(Node("hvcC", box), isEssential: true)
  }

  fileprivate var information: [NewItem.Property] {
    [.pixels(bitDepth, channels: chroma == .monochrome ? 1 : 3)]
  }

  var colours: [NewItem.Property] { NewItem.Property.colours(colour, profile) }

  fileprivate func grid() throws(SyntaxError) -> [UInt8] {
    guard rows <= 256, columns <= 256 else {
      throw SyntaxError(
        .limit, field: "grid",
        detail: "has \(columns) × \(rows) tiles instead of at most 256 × 256")
    }
    var grid = ImageGrid()
    grid.rowsMinusOne = UInt8(rows - 1)
    grid.columnsMinusOne = UInt8(columns - 1)
    (grid.outputWidth, grid.outputHeight) = (UInt32(clamping: width), UInt32(clamping: height))
    if max(width, height) > UInt16.max { grid.flags = 1 }
    var writer = SyntaxWriter(ArraySink())
    try grid.syntax(&writer)
    return writer.sink.bytes
  }
}

extension NewToneMap {
  /// Returns the item with the gain map applied, which is a picture that is already upright.
  ///
  /// - Parameters:
  ///   - size: the width and the height of the displayed base.
  ///   - bitDepth: that of the base.
  func item(of base: UInt32, _ map: UInt32, size: (Int, Int), bitDepth: Int) -> NewItem {
    var item = NewItem("tmap", .description(data))
    // Eight bits are not enough for HDR without visible steps.
    item.properties =
      [.extents(size.0, size.1), .pixels(max(bitDepth, 10), channels: 3)]
      + NewItem.Property.colours(colour, profile)
    item.references = [NewItem.Reference(type: "dimg", to: [base, map])]
    return item
  }
}

extension NewItem.Property {
  static func auxiliary(_ urn: String, _ subtype: [UInt8] = []) -> NewItem.Property {
    var box = AuxiliaryType()
    box.auxType = Text(bytes: Array(urn.utf8))
    box.auxSubtype = subtype
    return NewItem.Property(Node("auxC", box), isEssential: true)
  }

  fileprivate static func pixels(_ bitDepth: Int, channels: Int) -> NewItem.Property {
    var box = PixelInformation()
    box.bitsPerChannel = Array(repeating: UInt8(clamping: bitDepth), count: channels)
    return NewItem.Property(Node("pixi", box))
  }

  fileprivate static func colours(_ colour: ColourDescription?, _ profile: [UInt8])
    -> [NewItem.Property]
  {
    var boxes: [ColourInformation] = []
    if !profile.isEmpty { boxes.append(ColourInformation(profile: profile)) }
    if let colour { boxes.append(ColourInformation(colour)) }
    return boxes.map { NewItem.Property(Node("colr", $0)) }
  }

  fileprivate static func extents(_ width: Int, _ height: Int) -> NewItem.Property {
    var box = ImageSpatialExtents()
    (box.width, box.height) = (UInt32(clamping: width), UInt32(clamping: height))
    return NewItem.Property(Node("ispe", box))
  }

  /// Returns `irot` and then `imir`, the order required by MIAF (ISO/IEC 23000-22, 7.3.6.7): mirroring before a
  /// rotation equals mirroring after a rotation the other way.
  static func laying(_ orientation: Orientation) -> [NewItem.Property] {
    var properties: [NewItem.Property] = []
    let turns = orientation.quarterTurns
    // Two turns plus swapping left and right equal swapping top and bottom.
    let isFlip = orientation.isMirrored && turns == 2
    if turns > 0, !isFlip {
      var box = ImageRotation()
      box.angle = UInt8(orientation.isMirrored ? turns : 4 - turns)
      properties.append(NewItem.Property(Node("irot", box), isEssential: true))
    }
    if orientation.isMirrored {
      var box = ImageMirror()
      box.axis = isFlip ? 0 : 1
      properties.append(NewItem.Property(Node("imir", box), isEssential: true))
    }
    return properties
  }
}
