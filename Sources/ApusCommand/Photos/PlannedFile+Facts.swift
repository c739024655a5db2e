// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusFacts
public import ApusMedia
import ApusStills
public import HEIF

/// The planned result of `--dry-run` for one photo.
struct DryRunLine: Described {
  let plan: PlannedFile
  /// The plans of its pictures; `nil` if they are not shown.
  var pictures: [PictureLine]?

  static let title = "dry_run"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == DryRunLine {
    v.required("input", "The path as given or found.") { $0.plan.input }
    v.required(
      "action",
      """
      convert or make: a picture or a thumbnail is written. copy: a JPEG stays a JPEG. skip: all outputs exist, or \
      the photo was listed twice.
      """
    ) { $0.plan.action }
    v.required(
      "error",
      """
      The reason why the photo would count as failed although its picture would be written: its video is truncated.
      """
    ) { $0.plan.failure }
    v.required("outputs", "The paths of the outputs.") { $0.plan.outputs }
    v.required("existing", "The outputs that already exist.") { $0.plan.existing }
    v.required("warnings", "The warnings known before decoding.") { $0.plan.warnings }
    v.optional("source", "With --remove-source, whether the photo's file would be removed.") {
      $0.plan.removal
    }
    v.optional("live", "With --verbose and --live, the video of a Live Photo.") {
      $0.pictures == nil ? nil : $0.plan.live
    }
    v.optional(
      "pictures", "With --verbose, how each picture would be decoded and assembled."
    ) { $0.pictures }
    v.optional(
      "findings",
      "With --verbose, the problems of the file apart from its coded data and its pictures."
    ) { $0.pictures == nil ? nil : $0.plan.findings }
  }
}

extension PlannedFile.Action: FactValue {}

/// The plan for one picture, with every source and piece.
struct PictureLine: Described {
  let picture: PhotoPreview.PlannedPicture
  let decoders: [CodecUse]

  static let title = "picture"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == PictureLine {
    v.facts { $0.picture.plan }
    v.required("alpha", "The plan of its alpha, if it has any.") { $0.picture.plan.alpha }
    v.required("alpha_premultiplied", "Whether its samples are multiplied by its alpha.") {
      $0.picture.plan.isAlphaPremultiplied
    }
    v.optional("gain_map", "The plan of its gain map.") { $0.picture.gainMap }
    v.required("decoders", "The decoders; empty for a copy.") { $0.decoders }
    v.optional("encoders", "The encoder of a HEIC.") { $0.picture.encoder.map { [$0] } }
    v.required("metadata", "The sizes of exif, xmp and iptc in bytes.") { line in
      let metadata = line.picture.metadata
      let kinds = [("exif", metadata.exif), ("xmp", metadata.xmp), ("iptc", metadata.iptc)]
      return FactCounts(kinds.compactMap { name, bytes in bytes.map { (name, $0.count) } })
    }
    v.required("cost", "The cost of decoding and painting.") { $0.picture.plan.cost }
    v.required("findings", "The findings on the picture and its metadata.") {
      $0.picture.findings
    }
  }
}

extension PicturePlan: Described {
  public static let title = "plane"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == PicturePlan {
    v.required("width", "The width.") { $0.width }
    v.required("height", "The height.") { $0.height }
    v.required("orientation", "The orientation.") { $0.orientation }
    v.required(
      "placed_by_container",
      "Whether the container has a rotation or mirroring; if not, Exif is followed."
    ) { $0.isPlacedByContainer }
    v.optional(
      "fill", "The red, green, blue and alpha of the background, from 0 to 65535."
    ) { $0.fill }
    v.required("colour", "The colour.") { $0.colour }
    v.required(
      "sources",
      """
      The coded pictures, with the byte ranges of their samples; earlier samples are decoded first.
      """
    ) { $0.sources }
    v.required(
      "pieces",
      "The parts of coded pictures, by index in sources, with their places on the canvas."
    ) { $0.pieces }
  }
}

extension PlannedColour: Described {
  public static let title = "colour"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == PlannedColour {
    v.required("origin", "The origin of the colour.") { $0.origin }
    v.facts { $0.description }
    v.optional("icc_bytes", "The size of the ICC profile.") { $0.profile?.count }
  }
}

extension ColourDescription: Described {
  public static let title = "points"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == ColourDescription {
    v.required("primaries", "The colour primaries: ITU-T H.273.") { $0.primaries }
    v.required("transfer", "The transfer characteristics.") { $0.transfer }
    v.required("matrix", "The matrix coefficients.") { $0.matrix }
    v.required("full_range", "Whether the samples have full range.") { $0.isFullRange }
  }
}

extension PlannedSource: Described {
  public static let title = "coded"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == PlannedSource {
    v.required("name", "The name in messages.") { $0.name }
    v.required("codec", "The codec.") { $0.codec.name }
    v.required("width", "The width.") { $0.format.width }
    v.required("height", "The height.") { $0.format.height }
    v.required("chroma", "The chroma format.") { $0.format.chroma }
    v.required("bit_depth", "The bit depth.") { $0.format.bitDepth }
    v.optional("colour", "The colour according to the stream.") { $0.colour }
    v.required("samples", "The extents of its samples.") { $0.samples }
  }
}

extension Extent: Described {
  public static let title = "extent"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == Extent {
    v.required("offset", "The offset of the first byte.") { $0.range.lowerBound }
    v.required("size", "The number of bytes.") { $0.count }
  }
}

extension PlannedPiece: Described {
  public static let title = "piece"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == PlannedPiece {
    v.required("source", "The index of the source.") { $0.source }
    v.optional("alpha_source", "The index of the source of its alpha.") { $0.alphaSource }
    v.required("crop", "The part of the source.") { $0.crop }
    v.required("orientation", "The orientation of the part.") { $0.orientation }
    v.required("place", "The place on the canvas.") { $0.place }
  }
}

extension PixelRect: Described {
  public static let title = "rectangle"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == PixelRect {
    v.required("x", "The left edge.") { Int64($0.x) }
    v.required("y", "The upper edge.") { Int64($0.y) }
    v.required("width", "The width.") { $0.width }
    v.required("height", "The height.") { $0.height }
  }
}

extension Orientation: Described {
  public static let title = "orientation"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == Orientation {
    v.required("mirrored", "Whether it is mirrored left to right first.") { $0.isMirrored }
    v.required("quarter_turns", "The clockwise quarter turns after that.") { $0.quarterTurns }
  }
}

extension PlanCost: Described {
  public static let title = "cost"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == PlanCost {
    v.required("sources", "The number of coded pictures.") { $0.sources }
    v.required("pieces", "The number of pieces.") { $0.pieces }
    v.required("decoded_pixels", "The number of decoded luma samples.") { $0.decodedPixels }
    v.required("painted_pixels", "The number of painted pixels.") { $0.paintedPixels }
    v.required("coded_bytes", "The number of coded bytes.") { $0.codedBytes }
  }
}
