// SPDX-License-Identifier: MIT

/// What the outputs of a photo hold of its file. This is the one table by which a source may be removed.
///
/// What a person asked for in so many words is no loss: a JPEG has 8 bits and is coded anew by its quality, `strip` takes
/// metadata out, sRGB takes the place of a profile, a crop hides what is around it.
struct OutputContents: Hashable, Sendable {
  var format: OutputFormat
  /// Whether every picture of the file has an output.
  var hasAllPictures = false
  var keepsHDR = true
  /// Whether the gain map of the first picture is in its output.
  var hasGainMap = true
  var hasMotionVideo = false
  /// Whether the file itself is in the output, byte for byte but for what announces a video after it.
  var isCopy = false
  /// Whether a picture was made smaller, or a part taken out, rather than the photo converted.
  var isSmaller = false
  var isPart = false

  /// Whether something is in the outputs.
  func hold(_ kind: SourceHolding.Kind) -> Bool {
    if isCopy { return true }
    return switch kind {
    case .picture: !isPart
    case .fullSize: !isSmaller
    case .pictures: hasAllPictures
    case .alpha: [.png, .webp, .heic].contains(format)
    case .highDynamicRange: keepsHDR && [.jpeg, .png, .heic, .yuv].contains(format)
    case .gainMap: keepsHDR && hasGainMap && (format == .jpeg || format == .heic)
    // A HEIC takes them along with the XMP that says what their numbers mean; one that it cannot take is warned of.
    case .depth, .mattes, .auxiliaryMetadata: format == .heic
    case .motionVideo: hasMotionVideo
    case .margins, .hiddenPictures, .auxiliaries, .layers, .tracks, .previews, .descriptions,
      .properties,
      .items, .boxes, .segments, .samsungTrailer, .unreadable, .unreferencedBytes, .trailingBytes,
      .attributes:
      false
    }
  }

  /// What of a file is not in the outputs.
  func losses(of holdings: [SourceHolding]) -> [SourceHolding] {
    holdings.filter { !hold($0.kind) }
  }
}

extension OutputContents {
  /// What outputs will hold by the options, before any is made.
  init(_ options: ConvertOptions, of contents: PhotoContents) {
    format = options.format
    if case .heif = contents { hasAllPictures = options.images == .all && options.frame == nil }
    keepsHDR = options.hdr == .keep
    hasMotionVideo = options.live == .keep || options.live == .motionPhoto
    isSmaller = options.bounds != nil || options.crop != nil || options.thumbnail != nil
    isPart = options.parts != nil || options.plane != nil
  }

  /// What they hold once a report tells what was made.
  mutating func correct(by report: PhotoReport) {
    let pictures = report.outputs.filter { if case .video = $0.role { false } else { true } }
    if pictures.first?.gainMap == nil { hasGainMap = false }
    if report.live.map({ $0.outcome == .dropped }) ?? true { hasMotionVideo = false }
    isCopy = report.isCopied
  }
}
