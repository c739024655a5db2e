// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import HEIF
internal import HEVC
internal import ISOBMFF

/// The size and depth of pictures according to the container: ISO/IEC 14496-12, 8.3.2 and 12.1.3, and ISO/IEC 23008-12,
/// 6.5.
extension Rule {
  static let pictureRules: [Rule] = [
    Rule(
      "size-entry", "14496-15, 8.4.1.1.1", .warning,
      "the sample entry has the size of the picture after cropping", reads: "SPS, sample entry"
    ) { context in
      guard case .track(_, let entry) = context.found.surroundings,
        let visual = entry.located.box(VisualSampleEntry.self)
      else { return .notApplicable("the record belongs to no track") }
      guard !context.displaySizes.isEmpty else {
        return .notApplicable("there is no readable SPS")
      }
      let size = PixelSize(width: Int(visual.width), height: Int(visual.height))
      return .when(
        !context.displaySizes.contains(size),
        Remark(
          "the sample entry says \(size), the SPS \(context.displaySizes[0])",
          fix: "set width and height of the sample entry to those of the SPS",
          offset: entry.node.start, path: entry.path))
    },
    Rule(
      "size-track", "14496-12, 8.3.2", .warning, or: [.note],
      "the track size is the size of the picture in square samples",
      reads: "SPS, tkhd, pasp, clap"
    ) { context in
      guard case .track(let track, let entry) = context.found.surroundings,
        let header = track.header
      else { return .notApplicable("the record belongs to no track") }
      guard header.flags & 8 == 0 else {
        return .notApplicable("the track header holds an aspect ratio")
      }
      guard let size = context.displaySizes.first else {
        return .notApplicable("there is no readable SPS")
      }
      let shown = PixelSize(width: Int(header.width >> 16), height: Int(header.height >> 16))
      guard shown.width > 0, shown.height > 0 else {
        return .findings([
          // This is common in the headers of segmented media, and players accept it.
          Remark(
            "the track header says \(shown), the SPS \(size)",
            track.sampleCount == 0 ? .note : nil, path: track.path)
        ])
      }
      if entry.located.child("clap") != nil {
        return .notApplicable("a clean aperture crops the picture")
      }
      // A track may be stretched to its aspect ratio in either direction, or be displayed as stored.
      let shape = context.sampleShape
      let candidates = [
        (Double(size.width), Double(size.height)),
        (Double(size.width) * shape, Double(size.height)),
        (Double(size.width), Double(size.height) / shape),
      ]
      let fits = candidates.contains { width, height in
        abs(width - Double(shown.width)) <= 2 && abs(height - Double(shown.height)) <= 2
      }
      return .when(
        !fits,
        Remark(
          "the track header says \(shown), the SPS \(size)"
            + (shape == 1 ? "" : " with a sample aspect ratio of \(shape.decimal()):1"),
          fix: "set the size in tkhd, unless scaling is intended", path: track.path))
    },
    aboutItems(
      "size-item", "23008-12, 6.5.3", .error, "ispe has the size of the picture after cropping",
      reads: "SPS, ispe"
    ) { context, item in
      guard let size = context.displaySizes.first,
        let extents = item.property(ImageSpatialExtents.self)
      else { return nil }
      let said = PixelSize(width: Int(extents.width), height: Int(extents.height))
      guard !context.displaySizes.contains(said) else { return nil }
      return Remark(
        "item \(item.id) has an ispe of \(said), the SPS says \(size)",
        fix: "set ispe to the size of the SPS; crop further with clap")
    },
    aboutItems(
      "size-item-missing", "23008-12, 6.5.3", .error, "every coded picture has an ispe",
      reads: "item properties"
    ) { _, item in
      item.property(ImageSpatialExtents.self) == nil
        ? Remark("item \(item.id) has no ispe", fix: "add one with the size of the picture") : nil
    },
    aboutItems(
      "depth-item", "23008-12, 6.5.6", .warning, "pixi has the bit depths and channels of the SPS",
      reads: "SPS, pixi"
    ) { context, item in
      guard let sequence = context.sequences.first,
        let pixels = item.property(PixelInformation.self)
      else { return nil }
      let format = sequence.format
      let chroma = UInt8(clamping: format.bitDepthChroma)
      let expected =
        [UInt8(clamping: format.bitDepthLuma)]
        + (format.chromaFormatIDC == 0 ? [] : [chroma, chroma])
      guard pixels.bitsPerChannel != expected else { return nil }
      return Remark(
        "item \(item.id) has a pixi of \(list(pixels.bitsPerChannel)) bits, the SPS says \(list(expected))",
        fix: "set pixi to the depths of the SPS")
    },
  ]

  private static func list(_ values: [UInt8]) -> String {
    values.isEmpty ? "no" : values.map(String.init).joined(separator: ", ")
  }

  private static func aboutItems(
    _ id: String, _ clause: String, _ severity: Finding.Severity, _ demand: String,
    reads: String, _ check: @escaping @Sendable (RecordContext, Item) -> Remark?
  ) -> Rule {
    Rule(id, clause, severity, demand, reads: reads) { context in
      guard case .items(let items) = context.found.surroundings else {
        return .notApplicable("the record belongs to no item")
      }
      let coded = items.filter { $0.type == "hvc1" || $0.type == "hev1" }
      guard !coded.isEmpty else { return .notApplicable("no hvc1 item uses the record") }
      // The first few tiles of a grid are representative of all.
      let remarks = coded.compactMap { check(context, $0) }
      guard remarks.count > 3 else { return .findings(remarks) }
      var last = remarks[2]
      last.message += "; the same for \(remarks.count - 3) more items"
      return .findings([remarks[0], remarks[1], last])
    }
  }
}

extension RecordContext {
  /// The display size that each SPS of the base layer states.
  var displaySizes: [PixelSize] { sequences.compactMap(\.displaySize) }

  /// The aspect ratio of a sample, width to height, from `pasp`, otherwise from the VUI, otherwise square.
  var sampleShape: Double {
    if let aspect = found.beside(PixelAspectRatio.self), aspect.vSpacing > 0,
      aspect.hSpacing > 0
    {
      return Double(aspect.hSpacing) / Double(aspect.vSpacing)
    }
    if let ratio = sequences.first?.sampleAspectRatio, ratio.width > 0, ratio.height > 0 {
      return Double(ratio.width) / Double(ratio.height)
    }
    return 1
  }
}
