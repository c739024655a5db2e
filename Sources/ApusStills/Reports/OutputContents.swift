// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The contents of a photo's file that its outputs keep: those that the options allow and, once outputs are written,
/// those found in them. This is the only table that decides whether a source may be removed.
///
/// Changes that were explicitly requested are not losses: a JPEG has 8 bits and is encoded again with its quality,
/// `strip` removes metadata, sRGB replaces a profile, a crop removes its surroundings.
struct OutputContents: Hashable, Sendable {
  var format: OutputFormat
  /// Whether every picture of the file has an output.
  var hasAllPictures = false
  var keepsHDR = true
  var hasMotionVideo = false
  /// Whether the output is the file itself, byte for byte except for the announcement of a video after it.
  var isCopy = false
  /// Whether a picture was reduced or a part extracted, instead of the photo being converted.
  var isSmaller = false
  var isPart = false
  var strip = StripChoice.nothing
  var convertsToSRGB = false
  /// The contents of each written picture; empty before the first.
  private(set) var written: [[SourceHolding]] = []
  /// Whether the alpha of the picture is opaque everywhere.
  private(set) var isOpaque = false

  /// Returns whether the outputs can contain something.
  func hold(_ kind: SourceHolding.Kind) -> Bool {
    if isCopy { return true }
    return switch kind {
    case .picture: !isPart
    case .fullSize: !isSmaller
    case .pictures: hasAllPictures
    case .alpha: [.png, .webp, .heic].contains(format)
    case .highDynamicRange: keepsHDR && [.jpeg, .png, .heic, .yuv].contains(format)
    case .gainMap: keepsHDR && (format == .jpeg || format == .heic)
    // A HEIC includes them together with the XMP that describes their numbers; there is a warning about one that it
    // cannot contain.
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

  /// Whether the format can contain a picture's metadata.
  private var holdsMetadata: Bool { [.jpeg, .png, .webp, .heic].contains(format) }

  /// Returns whether the options request that something is not in the outputs.
  private func isUnwanted(_ kind: SourceHolding.Kind) -> Bool {
    switch kind {
    case .exif, .xmp: strip == .all
    // Records that contain only locations are removed entirely.
    case .iptc: strip != .nothing
    case .profile: convertsToSRGB
    default: false
    }
  }

  /// Returns the contents of a file that the outputs lack.
  func losses(of holdings: [SourceHolding]) -> [SourceHolding] {
    holdings.compactMap { holding in
      guard hold(holding.kind) else { return holding }
      return isCopy || written.isEmpty || isUnwanted(holding.kind) ? nil : missing(holding)
    }
  }

  /// Returns contents that the outputs could have but do not.
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
    // For some kinds the number of items depends on their storage.
    let needed = [.pictures, .depth, .mattes].contains(holding.kind) ? holding.count : 1
    return found < needed ? SourceHolding(holding.kind, count: needed - found) : nil
  }

  /// Adds a written picture.
  ///
  /// - Parameter isOpaque: whether its alpha was found to be opaque everywhere.
  mutating func add(_ output: any ByteSource, isOpaque: Bool) {
    // Other formats cannot be read back, and no source is removed for them.
    guard [.jpeg, .png, .heic].contains(format) else { return }
    written.append(PhotoContents.holdings(ofOutput: output))
    self.isOpaque = self.isOpaque || isOpaque
  }
}

extension OutputContents {
  /// Determines the contents that outputs will have according to the options, before any is made.
  init(_ options: ConvertOptions, of contents: PhotoContents) {
    format = options.format
    if case .heif = contents { hasAllPictures = options.job == .all }
    keepsHDR = options.hdr == .keep
    hasMotionVideo = options.live == .keep || options.live == .motionPhoto
    isSmaller = options.bounds != nil || options.crop != nil || options.job.thumbnail != nil
    isPart = options.job.parts != nil
    (strip, convertsToSRGB) = (options.strip, options.convertsToSRGB)
  }

  /// Corrects the contents with the report on the outputs.
  mutating func correct(by report: PhotoReport) {
    if report.live.map({ $0.outcome == .dropped }) ?? true { hasMotionVideo = false }
    isCopy = report.isCopied
  }
}
