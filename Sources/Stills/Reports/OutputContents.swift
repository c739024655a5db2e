// SPDX-License-Identifier: MIT

internal import Bytes

/// The contents of a photo's file that its outputs hold: what the options allow, and of that what is found in them once
/// they are written. This is the one table by which a source may be removed.
///
/// What a person asked for in so many words is no loss: a JPEG has 8 bits and is coded anew by its quality, `strip` takes
/// metadata out, sRGB takes the place of a profile, a crop hides what is around it.
struct OutputContents: Hashable, Sendable {
  var format: OutputFormat
  /// Whether every picture of the file has an output.
  var hasAllPictures = false
  var keepsHDR = true
  var hasMotionVideo = false
  /// Whether the file itself is in the output, byte for byte but for what announces a video after it.
  var isCopy = false
  /// Whether a picture was made smaller, or a part taken out, rather than the photo converted.
  var isSmaller = false
  var isPart = false
  var strip = StripChoice.nothing
  var convertsToSRGB = false
  /// The contents of each picture that was written; empty before the first.
  private(set) var written: [[SourceHolding]] = []
  /// Whether the alpha of the picture says that all of it is opaque.
  private(set) var isOpaque = false

  /// Whether something can be in the outputs.
  func hold(_ kind: SourceHolding.Kind) -> Bool {
    if isCopy { return true }
    return switch kind {
    case .picture: !isPart
    case .fullSize: !isSmaller
    case .pictures: hasAllPictures
    case .alpha: [.png, .webp, .heic].contains(format)
    case .highDynamicRange: keepsHDR && [.jpeg, .png, .heic, .yuv].contains(format)
    case .gainMap: keepsHDR && (format == .jpeg || format == .heic)
    // A HEIC takes them along with the XMP that says what their numbers mean; one that it cannot take is warned of.
    case .depth, .mattes, .auxiliaryMetadata: format == .heic
    case .exif, .xmp, .profile: holdsMetadata || isUnwanted(kind)
    case .iptc: format == .jpeg || format == .heic || isUnwanted(kind)
    case .motionVideo: hasMotionVideo
    case .margins, .hiddenPictures, .auxiliaries, .layers, .tracks, .previews, .descriptions,
      .properties,
      .items, .boxes, .segments, .samsungTrailer, .unreadable, .unreferencedBytes, .trailingBytes,
      .attributes:
      false
    }
  }

  /// Whether the format has room for what is said about a picture.
  private var holdsMetadata: Bool { [.jpeg, .png, .webp, .heic].contains(format) }

  /// Whether it was asked for that something is not in the outputs.
  private func isUnwanted(_ kind: SourceHolding.Kind) -> Bool {
    switch kind {
    case .exif, .xmp: strip == .all
    // Records of nothing but places leave nothing.
    case .iptc: strip != .nothing
    case .profile: convertsToSRGB
    default: false
    }
  }

  /// What of a file is not in the outputs.
  func losses(of holdings: [SourceHolding]) -> [SourceHolding] {
    holdings.compactMap { holding in
      guard hold(holding.kind) else { return holding }
      return isCopy || written.isEmpty || isUnwanted(holding.kind) ? nil : missing(holding)
    }
  }

  /// The contents that the outputs could hold and do not.
  private func missing(_ holding: SourceHolding) -> SourceHolding? {
    func count(_ kinds: SourceHolding.Kind...) -> Int {
      written.joined().reduce(0) { $0 + (kinds.contains($1.kind) ? $1.count : 0) }
    }
    let found: Int
    switch holding.kind {
    case .picture: found = count(.unreadable) == 0 ? holding.count : 0
    case .pictures: found = written.count - 1
    case .depth, .mattes, .auxiliaryMetadata: found = count(holding.kind)
    case .alpha where isOpaque: found = 1
    case .alpha, .gainMap, .exif, .xmp, .iptc, .profile: found = min(count(holding.kind), 1)
    case .highDynamicRange: found = min(count(.highDynamicRange, .gainMap), 1)
    default: return nil
    }
    // For some kinds the number of items depends on how they are stored.
    let needed = [.pictures, .depth, .mattes].contains(holding.kind) ? holding.count : 1
    return found < needed ? SourceHolding(holding.kind, count: needed - found) : nil
  }

  /// Adds a picture that was written.
  ///
  /// - Parameter isOpaque: whether its alpha was found to say nothing.
  mutating func add(_ output: any ByteSource, isOpaque: Bool) {
    // Others cannot be read again, and no source is removed for them.
    guard [.jpeg, .png, .heic].contains(format) else { return }
    written.append(PhotoContents.holdings(ofOutput: output))
    self.isOpaque = self.isOpaque || isOpaque
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
    (strip, convertsToSRGB) = (options.strip, options.convertsToSRGB)
  }

  /// What they hold once a report tells what was made.
  mutating func correct(by report: PhotoReport) {
    if report.live.map({ $0.outcome == .dropped }) ?? true { hasMotionVideo = false }
    isCopy = report.isCopied
  }
}
