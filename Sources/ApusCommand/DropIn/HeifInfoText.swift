// SPDX-License-Identifier: MIT

import Bytes
import HEIF
import ISOBMFF
import Media

/// What `heif-info` prints of a file.
struct HeifInfoText {
  let file: PhotoFile

  private var graph: ItemGraph { file.graph }

  func write<Output: TextOutputStream>(to output: inout Output) {
    writeBrands(to: &output)
    for picture in file.everyPicture {
      guard case .item(let id) = picture.place, let item = graph.item(id) else { continue }
      output.write("\n")
      write(item, picture, to: &output)
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
      output.write("  colorspace: \(Self.colourSpace(of: format))\n")
      output.write("  bit depth: \(format.bitDepth)\n")
    }
    for id in graph.referrers(to: item.id, by: "thmb") {
      if let thumbnail = graph.item(id) { output.write("  thumbnail: \(size(of: thumbnail))\n") }
    }
    output.write("  color profile: \(colourProfile(of: item))\n")
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
    output.write("properties:\n")
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
    guard item.type == "grid",
      let tile = item.targets("dimg").first.flatMap({ graph.item($0) }).flatMap(ItemGeometry.init),
      let pieces = try? file.plan(PhotoPicture(.item(item.id))).pieces
    else { return nil }
    let columns = Set(pieces.map(\.place.x)).count
    let rows = Set(pieces.map(\.place.y)).count
    guard columns * rows > 1 else { return nil }
    let isTurned = (ItemGeometry(item)?.rotation ?? 0) % 180 != 0
    let sides = isTurned ? (tile.height, tile.width) : (tile.width, tile.height)
    return "\(columns)x\(rows), tile size: \(sides.0)x\(sides.1)"
  }

  private static func colourSpace(of format: PictureFormat) -> String {
    guard !format.isRGB else { return "RGB" }
    guard format.chroma != .monochrome else { return "monochrome" }
    return "YCbCr, " + format.chroma.name.map(String.init).joined(separator: ":")
  }

  /// The kind of the profile, an ICC profile first.
  private func colourProfile(of item: Item) -> String {
    let kinds = item.properties.compactMap { $0.located.box(ColourInformation.self)?.colourType }
    let kind = kinds.first { $0 == "prof" || $0 == "rICC" } ?? kinds.first
    return kind?.description ?? "no"
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
    item.properties.compactMap { property in
      if let mirror = property.located.box(ImageMirror.self) {
        return "mirror: \(mirror.axis == 1 ? "horizontal" : "vertical")"
      }
      if let turn = property.located.box(ImageRotation.self) {
        return "angle (ccw): \(Int(turn.angle) * 90)"
      }
      if let aperture = property.located.box(CleanAperture.self) {
        return "crop: \(aperture.width ?? 0)x\(aperture.height ?? 0)"
      }
      return nil
    }
  }
}
