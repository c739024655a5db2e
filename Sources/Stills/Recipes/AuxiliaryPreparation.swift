// SPDX-License-Identifier: MIT

internal import Bytes
internal import HEIF
internal import Media
internal import Metadata

/// The decisions about an auxiliary picture of numbers that accompanies another into a HEIC.
struct AuxiliaryPreparation {
  private let found: FoundAuxiliary
  private let setup: PictureSetup
  private let coded: CodedPlanes
  private let xmp: [UInt8]

  init(
    _ found: FoundAuxiliary, placement: Placement, options: ConvertOptions, workers: Int
  ) throws {
    guard AuxiliaryKind(urn: found.urn) != nil else {
      throw MediaError(.unsupported, "the meaning of its samples is unknown")
    }
    self.found = found
    var plan = try found.source.plan(found.picture)
    plan = plan.laid(placement.change)
    plan.alpha = []
    var format = plan.canvasFormat
    format.isRGB = false
    (format.chroma, format.bitDepth) = (.monochrome, format.bitDepth > 8 ? 10 : 8)
    let layout = TileLayout(format, isSingle: options.heic.isSingle)
    setup = try PictureSetup(
      plan, background: [], limits: found.source.limits, workers: workers,
      bandHeight: layout.bandHeight)
    coded = CodedPlanes(
      companion: format, layout,
      colour: ColourDescription(isFullRange: plan.colour.description.isFullRange),
      options: options, workers: workers)
    try coded.encoder.check()
    xmp = Self.xmp(found.xmp ?? [], plan, options)
  }

  /// Returns the XMP that describes the meaning of the numbers, without metadata to be stripped.
  private static func xmp(_ packet: [UInt8], _ plan: PicturePlan, _ options: ConvertOptions)
    -> [UInt8]
  {
    switch options.strip {
    case .nothing: return packet
    case .all: return []
    case .gps:
      var choices = MetadataChoices(width: plan.width, height: plan.height)
      choices.strip = .gps
      choices.target = .heif
      var source = SourceMetadata()
      source.xmp = packet
      return PreparedMetadata(source, for: choices).xmp ?? []
    }
  }

  var pass: PlannedPass {
    let depth = coded.format.bitDepth
    let use = NewAuxiliary.Use.auxiliary(urn: found.urn, subtype: found.subtype)
    let output = CompanionOutput(
      coded, prepare: { $0.picture.withBitDepth(depth) },
      result: { [xmp] picture, results in
        guard let picture else { return }
        var auxiliary = NewAuxiliary(picture, use)
        auxiliary.xmp = xmp
        results.auxiliaries.append(.made(auxiliary))
      })
    return PlannedPass(pass: output, setup: setup, subject: .auxiliary(found.name))
  }
}
