// SPDX-License-Identifier: MIT

import Bytes
import HEIF
import ISOBMFF
import Media

/// What `heif-info` prints of a file: the lines of libheif 1.23, of which versions before have some.
struct HeifInfoText {
  let file: PhotoFile

  private var graph: ItemGraph { file.graph }

  /// Whether pictures are in a track, and not those of a movie.
  var hasSequence: Bool { file.movie.tracks.contains { $0.handler == "pict" } }

  func write<Output: TextOutputStream>(to output: inout Output) {
    writeBrands(to: &output)
    for picture in file.everyPicture {
      guard case .item(let id) = picture.place, let item = graph.item(id) else { continue }
      output.write("\n")
      write(item, picture, to: &output)
    }
    if let header = file.movie.header, hasSequence {
      output.write("\n")
      HeifSequenceText(header: header, tracks: file.movie.tracks).write(to: &output)
    }
    guard !graph.items.isEmpty else { return }
    output.write("MIME items:\n")
    for item in graph.items where item.type == "mime" {
      output.write("  \(item.id) : \(item.contentType)\n")
    }
  }

  private func writeBrands<Output: TextOutputStream>(to output: inout Output) {
    guard let type = file.tree.located.lazy.compactMap({ $0.box(FileType.self) }).first else {
      return
    }
    output.write("MIME type: \(Self.mediaTypes[type.majorBrand] ?? "unknown")\n")
    output.write("main brand: \(type.majorBrand)\n")
    let brands = type.compatibleBrands.map(\.description).joined(separator: ", ")
    output.write("compatible brands: \(brands)\n")
  }

  private static let mediaTypes: [FourCC: String] = [
    "heic": "image/heic", "heix": "image/heic", "heim": "image/heic", "heis": "image/heic",
    "hevc": "image/heic-sequence", "hevx": "image/heic-sequence", "hevm": "image/heic-sequence",
    "hevs": "image/heic-sequence", "mif1": "image/heif", "mif2": "image/heif",
    "msf1": "image/heif-sequence", "avif": "image/avif", "avis": "image/avif-sequence",
    "avci": "image/avci", "jpeg": "image/jpeg",
  ]

  private func write<Output: TextOutputStream>(
    _ item: Item, _ picture: PhotoPicture, to output: inout Output
  ) {
    output.write(
      "image: \(size(of: item)) (id=\(item.id))\(picture.isPrimary ? ", primary" : "")\n")
    if let tiles = tiles(of: item) { output.write("  tiles: \(tiles)\n") }
    if let format = try? file.plan(picture).sources.first?.format {
      let space = item.type == "iovl" ? "RGB" : Self.colourSpace(of: format)
      output.write("  colorspace: \(space)\n")
      output.write("  bit depth: \(format.bitDepth)\n")
    }
    for id in graph.referrers(to: item.id, by: "thmb") {
      if let thumbnail = graph.item(id) { output.write("  thumbnail: \(size(of: thumbnail))\n") }
    }
    writeColour(of: item, to: &output)
    let auxiliaries = graph.referrers(to: item.id, by: "auxl").compactMap(graph.item)
    let alpha = auxiliaries.first { $0.auxiliaryKind == .alpha }
    let isPremultiplied = alpha.map { item.targets("prem").contains($0.id) } ?? false
    output.write(
      "  alpha channel: \(alpha == nil ? "no" : "yes") \(isPremultiplied ? "(premultiplied)" : "")\n"
    )
    let depth = auxiliaries.first { $0.auxiliaryKind == .depth }
    output.write("  depth channel: \(depth == nil ? "no" : "yes")\n")
    if let depth {
      output.write("    size: \(size(of: depth))\n")
      if let format = try? file.plan(PhotoPicture(.item(depth.id))).sources.first?.format {
        output.write("    bits per pixel: \(format.bitDepth)\n")
      }
    }
    list("metadata", metadata(of: item), to: &output)
    list("transformations", transformations(of: item), to: &output)
    let regions = graph.referrers(to: item.id, by: "cdsc").filter { graph.item($0)?.type == "rgan" }
    list("region annotations", regions.map { "id: \($0)" }, to: &output)
    let texts = graph.referrers(to: item.id, by: "text")
    list("text items", texts.map { "text item: \($0)" }, to: &output)
    let properties = properties(of: item)
    output.write(properties.isEmpty ? "properties:\nnone\n" : "properties:\n")
    for line in properties { output.write("  \(line)\n") }
  }

  private func list<Output: TextOutputStream>(
    _ title: String, _ lines: [String], to output: inout Output
  ) {
    output.write("\(title):\n")
    for line in lines.isEmpty ? ["none"] : lines { output.write("  \(line)\n") }
  }

  /// `4032x3024`, as it is shown.
  private func size(of item: Item) -> String {
    ItemGeometry(item).map { "\($0.width)x\($0.height)" } ?? "0x0"
  }

  /// `8x6, tile size: 512x512`, as they are shown.
  private func tiles(of item: Item) -> String? {
    guard item.type == "grid", let geometry = ItemGeometry(item),
      let tile = item.targets("dimg").first.flatMap(graph.item).flatMap(ItemGeometry.init),
      let grid = grid(of: item), grid.columns * grid.rows > 1
    else { return nil }
    let isTurned = geometry.rotation % 180 != 0
    let counts = isTurned ? (grid.rows, grid.columns) : (grid.columns, grid.rows)
    let sides = isTurned ? (tile.height, tile.width) : (tile.width, tile.height)
    return "\(counts.0)x\(counts.1), tile size: \(sides.0)x\(sides.1)"
  }

  /// Returns `nil` where it cannot be read.
  private func grid(of item: Item) -> ImageGrid? {
    var grid = ImageGrid()
    do throws(SyntaxError) {
      var bytes: [UInt8] = []
      for extent in try graph.data(of: item.id, in: file.tree.source) where bytes.count < 12 {
        bytes += try extent.bytes()
      }
      var reader = SyntaxReader(MemorySource(bytes))
      try grid.syntax(&reader)
    } catch {
      return nil
    }
    return grid
  }

  private static func colourSpace(of format: PictureFormat) -> String {
    guard !format.isRGB else { return "RGB" }
    guard format.chroma != .monochrome else { return "monochrome" }
    return "YCbCr, " + format.chroma.name.map(String.init).joined(separator: ":")
  }

  /// The kind of the profile, an ICC profile first, and what code points mean; of a grid that of its tiles, too.
  private func writeColour<Output: TextOutputStream>(of item: Item, to output: inout Output) {
    let tile = item.type == "grid" ? item.targets("dimg").first.flatMap(graph.item) : nil
    let all = (item.properties + (tile?.properties ?? [])).compactMap {
      $0.located.box(ColourInformation.self)
    }
    let kinds = all.map(\.colourType)
    let kind = kinds.first { $0 == "prof" || $0 == "rICC" } ?? kinds.first
    output.write("  color profile: \(kind?.description ?? "no")\n")
    if let colour = all.first(where: { $0.colourType == "nclx" }) {
      for line in HeifColourText.lines(colour) { output.write("    \(line)\n") }
    }
    if let light = item.property(ContentLightLevel.self) {
      output.write(
        "  content light level: MaxCLL=\(light.max) MaxFALL=\(light.maxPictureAverage)\n")
    }
  }

  private func properties(of item: Item) -> [String] {
    var lines: [String] = []
    if let aspect = item.property(PixelAspectRatio.self) {
      lines.append("pixel aspect ratio: \(aspect.hSpacing)/\(aspect.vSpacing)")
    }
    if let light = item.property(ContentLightLevel.self) {
      lines += [
        "content light level (clli):", "  max content light level: \(light.max)",
        "  max pic average light level: \(light.maxPictureAverage)",
      ]
    }
    return lines
  }

  private func metadata(of item: Item) -> [String] {
    graph.referrers(to: item.id, by: "cdsc").compactMap(graph.item).compactMap { metadata in
      guard metadata.type != "rgan" else { return nil }
      let name =
        switch (metadata.type, metadata.contentType) {
        case ("Exif", _): "Exif"
        case ("mime", "application/rdf+xml"): "XMP"
        case ("uri ", _): "uri /\(metadata.uriType)"
        case (let type, let content): "\(type)/\(content)"
        }
      let data = try? graph.data(of: metadata.id, in: file.tree.source)
      return "\(name): \(data?.reduce(0) { $0 + $1.count } ?? 0) bytes"
    }
  }

  private func transformations(of item: Item) -> [String] {
    var size =
      item.property(ImageSpatialExtents.self).map { (Int($0.width), Int($0.height)) } ?? (0, 0)
    return item.properties.compactMap { property in
      if let mirror = property.located.box(ImageMirror.self) {
        return "mirror: \(mirror.axis == 1 ? "horizontal" : "vertical")"
      }
      if let turn = property.located.box(ImageRotation.self) {
        if turn.angle % 2 == 1 { size = (size.1, size.0) }
        return "angle (ccw): \(Int(turn.angle) * 90)"
      }
      if let cut = property.located.box(CleanAperture.self)?.borders(
        inWidth: size.0, height: size.1)
      {
        return "crop: left=\(cut.left) top=\(cut.top) right=\(cut.right) bottom=\(cut.bottom)"
      }
      return nil
    }
  }
}
