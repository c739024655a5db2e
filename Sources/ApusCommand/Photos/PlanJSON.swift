// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ApusStills
import HEIF

/// The plan for one picture as JSON, with every source and piece.
struct PlanJSON {
  func write<Output: TextOutputStream>(
    _ picture: PhotoPreview.PlannedPicture, _ decoders: [CodecUse],
    to json: inout JSONWriter<Output>
  ) {
    let plan = picture.plan
    let metadata = picture.metadata
    json.object { json in
      fields(of: plan, to: &json)
      json.key("alpha")
      json.array { json in
        for alpha in plan.alpha { json.object { json in fields(of: alpha, to: &json) } }
      }
      json.field("alpha_premultiplied", plan.isAlphaPremultiplied)
      if let map = picture.gainMap {
        json.key("gain_map")
        json.object { json in fields(of: map, to: &json) }
      }
      ConvertJSON().write(decoders, as: "decoders", to: &json)
      if let encoder = picture.encoder { ConvertJSON().write([encoder], as: "encoders", to: &json) }
      json.key("metadata")
      json.object { json in
        for (name, bytes) in [
          ("exif", metadata.exif), ("xmp", metadata.xmp), ("iptc", metadata.iptc),
        ] {
          if let bytes { json.field(name, bytes.count) }
        }
      }
      let cost = plan.cost
      json.key("cost")
      json.object { json in
        json.field("sources", cost.sources)
        json.field("pieces", cost.pieces)
        json.field("decoded_pixels", cost.decodedPixels)
        json.field("painted_pixels", cost.paintedPixels)
        json.field("coded_bytes", cost.codedBytes)
      }
      json.key("findings")
      json.array { json in
        for finding in picture.findings { json.finding(finding) }
      }
    }
  }

  private func fields<Output: TextOutputStream>(
    of plan: PicturePlan, to json: inout JSONWriter<Output>
  ) {
    json.field("width", plan.width)
    json.field("height", plan.height)
    json.key("orientation")
    write(plan.orientation, to: &json)
    json.field("placed_by_container", plan.isPlacedByContainer)
    if let fill = plan.fill {
      json.key("fill")
      json.array { json in for value in fill { json.value(value) } }
    }
    json.key("colour")
    write(plan.colour, to: &json)
    json.key("sources")
    json.array { json in for source in plan.sources { write(source, to: &json) } }
    json.key("pieces")
    json.array { json in for piece in plan.pieces { write(piece, to: &json) } }
  }

  private func write<Output: TextOutputStream>(
    _ colour: PlannedColour, to json: inout JSONWriter<Output>
  ) {
    json.object { json in
      json.field("origin", colour.origin)
      points(colour.description, to: &json)
      if let profile = colour.profile { json.field("icc_bytes", profile.count) }
    }
  }

  private func points<Output: TextOutputStream>(
    _ colour: ColourDescription, to json: inout JSONWriter<Output>
  ) {
    json.field("primaries", colour.primaries)
    json.field("transfer", colour.transfer)
    json.field("matrix", colour.matrix)
    json.field("full_range", colour.isFullRange)
  }

  private func write<Output: TextOutputStream>(
    _ source: PlannedSource, to json: inout JSONWriter<Output>
  ) {
    json.object { json in
      json.field("name", source.name)
      json.field("codec", source.codec.name)
      json.field("width", source.format.width)
      json.field("height", source.format.height)
      json.field("chroma", source.format.chroma.name)
      json.field("bit_depth", source.format.bitDepth)
      if let colour = source.colour {
        json.key("colour")
        json.object { json in points(colour, to: &json) }
      }
      json.key("samples")
      json.array { json in
        for sample in source.samples {
          json.array { json in for extent in sample { write(extent, to: &json) } }
        }
      }
    }
  }

  private func write<Output: TextOutputStream>(
    _ extent: Extent, to json: inout JSONWriter<Output>
  ) {
    json.object { json in
      json.field("offset", extent.range.lowerBound)
      json.field("size", extent.count)
    }
  }

  private func write<Output: TextOutputStream>(
    _ piece: PlannedPiece, to json: inout JSONWriter<Output>
  ) {
    json.object { json in
      json.field("source", piece.source)
      if let alpha = piece.alphaSource { json.field("alpha_source", alpha) }
      json.key("crop")
      write(piece.crop, to: &json)
      json.key("orientation")
      write(piece.orientation, to: &json)
      json.key("place")
      write(piece.place, to: &json)
    }
  }

  private func write<Output: TextOutputStream>(
    _ rect: PixelRect, to json: inout JSONWriter<Output>
  ) {
    json.object { json in
      json.field("x", rect.x)
      json.field("y", rect.y)
      json.field("width", rect.width)
      json.field("height", rect.height)
    }
  }

  private func write<Output: TextOutputStream>(
    _ orientation: Orientation, to json: inout JSONWriter<Output>
  ) {
    json.object { json in
      json.field("mirrored", orientation.isMirrored)
      json.field("quarter_turns", orientation.quarterTurns)
    }
  }
}
