// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusMetadata
internal import HEVC

extension PictureItemFacts {
  /// Creates the facts about a file with one picture, in the form of files of items.
  init(still picture: ItemFacts, _ metadata: SourceMetadata, hasGainMap: Bool = false) {
    itemCount = 1
    types = [(type: picture.type, count: 1)]
    primary = picture
    self.hasGainMap = hasGainMap
    let kinds = [
      ("Exif", metadata.exif), ("application/rdf+xml", metadata.xmp), ("IPTC", metadata.iptc),
    ]
    self.metadata = kinds.compactMap { kind, bytes in
      bytes.map { MetadataFacts(id: nil, kind: kind, bytes: $0.count) }
    }
  }
}

extension ItemFacts {
  /// Reads the facts from the segments of a JPEG; `nil` if they lack its size.
  init?(_ segments: JPEGSegments) {
    guard let size = segments.frameSize else { return nil }
    let metadata = segments.metadata
    self.init(still: "jpeg", "jpeg", size, exif: metadata.exif)
    format = CodedFormat(segments)
    colour.hasICCProfile = metadata.icc != nil
  }

  /// Returns `nil` if the file has no header.
  init?(_ file: PNGHeader) {
    guard let size = file.size else { return nil }
    self.init(still: "png ", "png", size, exif: file.metadata.exif)
    format = file.format
    colour = file.colour
  }

  /// Returns `nil` if the file does not contain its size.
  init?(_ file: WebPHeader) {
    guard let size = file.size else { return nil }
    // Viewers ignore the Exif of WebP.
    self.init(still: "webp", "webp", size, exif: nil)
    format = file.format
    colour.hasICCProfile = file.metadata.icc != nil
  }

  private init(
    still type: FourCC, _ codec: String, _ size: (width: Int, height: Int), exif: [UInt8]?
  ) {
    id = 1
    self.type = type
    self.codec = codec
    let coded = PixelSize(width: size.width, height: size.height)
    let placed = exif.flatMap(ExifReader.orientation).flatMap { Orientation(exif: $0) } ?? .upright
    codedSize = coded
    displaySize =
      placed.swapsSides ? PixelSize(width: coded.height, height: coded.width) : coded
    rotation = placed.quarterTurns * 90
    isMirrored = placed.isMirrored
    format = CodedFormat()
    colour = ColourFacts()
  }
}

extension CodedFormat {
  /// Reads the facts from the frame header of a JPEG: ITU-T T.81, B.2.2.
  fileprivate init(_ segments: JPEGSegments) {
    self.init()
    guard let frame = segments.segments.first(where: { (0xC0...0xC2).contains($0.marker) }),
      frame.body.count >= 6
    else { return }
    profile = ["Baseline", "Extended", "Progressive"][Int(frame.marker - 0xC0)]
    let body = Array(frame.body)
    bitDepth = Int(body[0])
    let count = Int(body[5])
    guard body.count >= 6 + 3 * count else { return }
    if count == 1 { chroma = "4:0:0" }
    // The sampling factors of each component, horizontal and vertical.
    guard count == 3, body[10] == body[13], body[10] & 15 > 0, body[10] >> 4 > 0 else { return }
    let across = Double(body[7] >> 4) / Double(body[10] >> 4)
    let down = Double(body[7] & 15) / Double(body[10] & 15)
    switch (across, down) {
    case (1, 1): chroma = "4:4:4"
    case (1, 2): chroma = "4:4:0"
    case (2, 1): chroma = "4:2:2"
    case (2, 2): chroma = "4:2:0"
    case (4, 1): chroma = "4:1:1"
    default: break
    }
  }
}
