// SPDX-License-Identifier: MIT

internal import ApusColour
internal import ApusMedia
internal import ApusMetadata
internal import HEIF

/// The decisions about one picture, made once from its file and the options: the passes that come first, each of which
/// fills a slot of `results`, and the recipe for the picture once no pass is left.
struct PictureDecision {
  /// A pass that comes before the picture is made.
  enum Pass {
    case size, mapTowardsSDR, appliedMap, gainMap, peak, computedMap, thumbnail
    case auxiliary(FoundAuxiliary)

    var subject: PlannedPass.Subject {
      switch self {
      case .size, .peak, .computedMap, .thumbnail: .picture
      case .mapTowardsSDR, .appliedMap, .gainMap: .gainMap
      case .auxiliary(let found): .auxiliary(found.name)
      }
    }
  }

  let picture: PendingPicture
  let options: ConvertOptions
  let workers: Int
  let placement: Placement
  /// The passes that have not been planned yet.
  private var passes: [Pass] = []
  private(set) var results = PassResults()
  private(set) var colour: ColourDecision
  private(set) var setup: PictureSetup
  /// The gain map of the file, if it is used.
  private(set) var gainMap: GainMapDecision?
  /// The metadata of the output, prepared once no pass is left.
  private(set) lazy var metadata = preparedMetadata()

  /// - Parameter scaled: the picture, if an earlier pass for another size has scaled it already.
  init(_ picture: PendingPicture, workers: Int, scaled: ScaledPicture? = nil) throws {
    var options = picture.options
    let isHEIC = options.format == .heic
    if isHEIC { options.keepsOrientationTag = false }
    var placement = try Placement(picture.picture, in: picture.source, options)
    let fits = scaled == nil && options.bounds?.fitted(placement.plan.sides) == nil
    if isHEIC, fits {
      // Orientation properties of the container need no change of samples.
      options.keepsOrientationTag = true
      placement = try placement.changed(options)
    }
    self.picture = picture
    self.options = options
    self.workers = workers
    self.placement = placement
    results.scaled = scaled
    let isScaled = scaled == nil && !fits
    if isScaled { passes.append(.size) }
    (colour, setup) = try Self.canvas(
      placement, options, picture, workers, results, isScaled: isScaled)
    guard picture.plane == nil else { return }
    passes += try mapPasses()
    if !options.keepsHDRSamples { passes.append(.peak) }
    if options.format == .jpeg {
      if options.writesGainMaps { passes.append(.computedMap) }
      if options.makesThumbnail, options.strip != .all { passes.append(.thumbnail) }
    }
    if isHEIC, options.heic.frameRate == nil, options.job.thumbnail == nil,
      options.job.parts == nil
    {
      passes += try picture.source.auxiliaries(of: picture.picture).map { .auxiliary($0) }
    }
  }

  /// Returns the colours and the canvas for the picture, given the results so far.
  ///
  /// - Parameter isScaled: whether the canvas is for a pass that scales the picture.
  private static func canvas(
    _ placement: Placement, _ options: ConvertOptions, _ picture: PendingPicture, _ workers: Int,
    _ results: PassResults, isScaled: Bool = false
  ) throws -> (ColourDecision, PictureSetup) {
    let plan = results.scaled.map { placement.plan.replaced(by: $0) } ?? placement.plan
    let colour = try ColourDecision(plan, options, results: results)
    let bandHeight =
      options.format == .heic && !isScaled
      ? TileLayout(colour.format, options.heic).bandHeight : nil
    if let scaled = results.scaled {
      return (colour, PictureSetup(plan, whole: scaled, bandHeight: bandHeight))
    }
    if let kept = results.kept { return (colour, PictureSetup(plan, kept: kept)) }
    return (
      colour,
      try PictureSetup(
        plan, background: try colour.fill(of: plan), limits: picture.source.limits,
        workers: workers, bandHeight: bandHeight)
    )
  }

  /// Returns the passes over the gain map of the file; empty if there is none, or it is not used.
  private mutating func mapPasses() throws -> [Pass] {
    let isHDR = colour.source.isHDR
    guard !isHDR || !options.keepsHDRSamples || options.format == .heic else { return [] }
    var passes: [Pass] = []
    // Without a map the picture is tone mapped, whatever becomes of HDR.
    if isHDR, !options.keepsHDRSamples { passes.append(.mapTowardsSDR) }
    if !isHDR, options.hdr == .apply, options.format != .heic { passes.append(.appliedMap) }
    if options.writesGainMaps { passes.append(.gainMap) }
    guard !passes.isEmpty || options.isStrictAboutHDR && options.hdr == .keep else { return [] }
    do {
      gainMap = try GainMapDecision(self)
      guard gainMap != nil else { return [] }
      guard !passes.isEmpty else {
        throw MediaError(.unsupported, "a \(options.format.rawValue) cannot have one")
      }
      guard options.heic.frameRate == nil || !options.writesGainMaps else {
        throw MediaError(.unsupported, "a sequence cannot have one")
      }
      guard options.crop == nil || options.format == .heic else {
        throw MediaError(.unsupported, "it applies to the whole picture")
      }
      return passes
    } catch {
      try drop(.gainMap, error)
      return []
    }
  }

  // MARK: Passes

  /// Returns the next pass; `nil` if the picture itself can be made.
  mutating func nextPass() throws -> PlannedPass? {
    while !passes.isEmpty {
      let pass = passes.removeFirst()
      do {
        if let planned = try plan(pass) { return planned }
      } catch {
        try drop(pass.subject, error)
      }
    }
    return nil
  }

  /// Adds the results of a pass.
  mutating func add(_ pass: PlannedPass) throws {
    try pass.pass.add(to: &results)
    if case .auxiliary = pass.subject { return }
    if results.mapIsColour, results.gainMap == nil, gainMap != nil {
      do {
        gainMap = try GainMapDecision(self)
        passes.insert(.gainMap, at: 0)
      } catch {
        try drop(.gainMap, error)
      }
    }
    (colour, setup) = try Self.canvas(placement, options, picture, workers, results)
  }

  /// Continues without an accompanying picture. Throws if it was required, or the picture itself failed.
  mutating func drop(_ subject: PlannedPass.Subject, _ reason: any Error) throws {
    switch subject {
    case .picture: throw reason
    case .gainMap:
      guard !options.isStrictAboutHDR else {
        throw MediaError(reason).inside("the gain map cannot be kept: ")
      }
      gainMap = nil
      results.gainMapLoss = "the gain map is left out: \(MediaError(reason))"
    case .auxiliary(let name): results.losses.append("the \(name) is left out: \(reason)")
    }
  }

  /// Returns the recipe for the picture itself, which idle workers can begin to decode during this pass; `nil` if
  /// further passes are needed.
  func recipe(ahead pass: PlannedPass) -> Recipe? {
    guard pass.subject == .gainMap, workers > 1, !colour.source.isHDR, !options.makesThumbnail,
      options.format != .heic
    else { return nil }
    return Recipe(setup: setup, salvages: options.salvages)
  }

  // MARK: Warnings, metadata

  /// Returns the warnings about the picture, including the losses in passes.
  mutating func warnings() -> [String] {
    let loss = results.gainMapLoss.map { [$0] } ?? []
    guard options.format == .heic else {
      return placement.defects + placement.warnings + loss + colour.warnings + metadata.warnings
    }
    return placement.defects + colour.warnings + metadata.warnings
      + (results.gainMap?.notes ?? []) + loss + results.losses
  }

  /// Plans all passes and returns the warnings known before decoding. Throws if nothing would be decoded.
  mutating func warningsBefore() throws -> [String] {
    while try nextPass() != nil {}
    return warnings()
  }

  private func preparedMetadata() -> PreparedMetadata {
    let isHEIC = options.format == .heic
    var choices = MetadataChoices(width: setup.plan.width, height: setup.plan.height)
    choices.orientation = placement.tag
    choices.thumbnail = results.thumbnail
    choices.hasVideoBeside = picture.hasVideoBeside
    choices.strip = MetadataChoices.Strip(options.strip)
    choices.target = MetadataChoices.Target(options.format)
    var source = SourceMetadata(placement.metadata)
    if isHEIC {
      // A lost gain map has its own warning.
      choices.holdsGainMap = results.gainMap != nil || results.gainMapLoss != nil
    } else {
      choices.gainMap = results.gainMap.map {
        AppendedGainMap(size: $0.jpeg.count, isInXMP: $0.isInXMP)
      }
      choices.video = picture.video?.appended
      source.icc = colour.profile
    }
    return PreparedMetadata(source, for: choices)
  }
}

extension PicturePlan {
  fileprivate var sides: (width: Int, height: Int) { (width, height) }
}

extension ConvertOptions {
  /// The quality of a gain map, which suffers more from coding than a picture does.
  var gainMapQuality: Int { min(max(quality, 90), 95) }

  /// Whether the output contains a gain map if the photo has one or, for a JPEG, one can be computed.
  var writesGainMaps: Bool { hdr == .keep && (format == .jpeg || format == .heic) }

  /// Whether PQ and HLG samples are kept unchanged.
  var keepsHDRSamples: Bool {
    format == .yuv || (format == .heic && hdr == .keep)
      || (format == .png && (hdr == .keep || hdr == .apply))
  }
}
