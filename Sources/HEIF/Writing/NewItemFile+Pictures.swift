// SPDX-License-Identifier: MIT

public import Bytes
internal import ISOBMFF
internal import Media

extension NewItemFile {
  /// Adds the items of a photo, data that are small and wanted first before the tiles; returns the ID of its picture.
  @discardableResult
  public mutating func add(_ photo: NewPhoto) throws(SyntaxError) -> UInt32 {
    let thumbnail = try photo.thumbnail.map { picture throws(SyntaxError) in
      try add(picture, photo.orientation)
    }
    var metadata: [UInt32] = []
    if !photo.exif.isEmpty {
      // What stands before the TIFF header, and its length: ISO/IEC 23008-12, A.2.1.
      let data = [0, 0, 0, 6] + Array("Exif\0\0".utf8) + photo.exif
      metadata.append(add(NewItem("Exif", .media(Extent(data)))))
    }
    for (bytes, type) in [
      (photo.xmp, "application/rdf+xml"), (photo.iptc, "application/x-iptc"),
    ] where !bytes.isEmpty {
      var item = NewItem("mime", .media(Extent(bytes)))
      item.contentType = type
      metadata.append(add(item))
    }
    let picture = try add(photo.picture, photo.orientation)
    primaryID = primaryID ?? picture
    for id in metadata { refer(from: id, "cdsc", to: [picture]) }
    if let thumbnail { refer(from: thumbnail, "thmb", to: [picture]) }
    if let plane = photo.alpha {
      let alpha = try add(plane, photo.orientation, auxiliaryType: Self.alpha)
      refer(from: alpha, "auxl", to: [picture])
      if photo.isAlphaPremultiplied { refer(from: picture, "prem", to: [alpha]) }
    }
    return picture
  }

  /// ISO/IEC 23008-12, B.2.2.2.
  private static let alpha = "urn:mpeg:hevc:2015:auxid:1"

  private mutating func add(
    _ picture: NewPicture, _ orientation: Orientation, auxiliaryType: String = ""
  ) throws(SyntaxError) -> UInt32 {
    guard picture.tiles.count == picture.rows * picture.columns else {
      throw SyntaxError(
        .misuse, field: "tiles", offset: 0,
        detail: "are \(picture.tiles.count), a picture of \(picture.columns) columns and "
          + "\(picture.rows) rows has \(picture.rows * picture.columns)")
    }
    let shown =
      picture.information + auxiliary(auxiliaryType) + picture.colours
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

  private func auxiliary(_ type: String) -> [NewItem.Property] {
    guard !type.isEmpty else { return [] }
    var box = AuxiliaryType()
    box.auxType = Text(bytes: Array(type.utf8))
    return [NewItem.Property(Node("auxC", box), isEssential: true)]
  }
}

extension NewPicture {
  var configuration: NewItem.Property {
    var box = HEVCConfiguration()
    box.record = record
    return NewItem.Property(Node("hvcC", box), isEssential: true)
  }

  fileprivate var information: [NewItem.Property] {
    var box = PixelInformation()
    box.bitsPerChannel = Array(
      repeating: UInt8(clamping: bitDepth), count: chroma == .monochrome ? 1 : 3)
    return [NewItem.Property(Node("pixi", box))]
  }

  var colours: [NewItem.Property] {
    var boxes: [ColourInformation] = []
    if !profile.isEmpty {
      var box = ColourInformation()
      box.colourType = "prof"
      box.profile = Extent(profile)
      boxes.append(box)
    }
    if let colour {
      var box = ColourInformation()
      box.colourPrimaries = UInt16(clamping: colour.primaries)
      box.transferCharacteristics = UInt16(clamping: colour.transfer)
      box.matrixCoefficients = UInt16(clamping: colour.matrix)
      box.fullRangeFlag = colour.isFullRange
      boxes.append(box)
    }
    return boxes.map { NewItem.Property(Node("colr", $0)) }
  }

  fileprivate func grid() throws(SyntaxError) -> [UInt8] {
    guard rows <= 256, columns <= 256 else {
      throw SyntaxError(
        .limit, field: "grid", offset: 0,
        detail: "has \(columns) × \(rows) tiles, allowed are 256 each way")
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

extension NewItem.Property {
  fileprivate static func extents(_ width: Int, _ height: Int) -> NewItem.Property {
    var box = ImageSpatialExtents()
    (box.width, box.height) = (UInt32(clamping: width), UInt32(clamping: height))
    return NewItem.Property(Node("ispe", box))
  }

  /// `irot` and then `imir`, in which order MIAF wants them (ISO/IEC 23000-22, 7.3.6.7): mirroring before a turn is
  /// mirroring after a turn the other way.
  static func laying(_ orientation: Orientation) -> [NewItem.Property] {
    var properties: [NewItem.Property] = []
    let turns = orientation.quarterTurns
    // Two turns and left for right is top for bottom.
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
