// SPDX-License-Identifier: MIT

internal import Bytes
internal import HEIF
internal import Media
internal import Metadata

/// The state machine that takes one file from its request to its report: it returns what to decode next and receives
/// the result, but decodes nothing itself.
struct PhotoSteps {
  /// The next step.
  enum Step {
    /// Carry out a recipe. The other recipe, if any, can start the following picture in the meantime; its output is
    /// determined later.
    case decode(Recipe, ahead: Recipe?)
    /// Continue with the picture that was started ahead, using this maker.
    case goOn(PictureMaker)
    /// Nothing is left to do, and the report is complete.
    case done
  }

  /// The result of a recipe.
  struct Made {
    /// The size of the written picture.
    let size: (width: Int, height: Int)
    let maker: PictureMaker?
    let outcome: PictureJob.Outcome
  }

  /// The current pass over a picture, which writes nothing.
  private struct Pass {
    let planned: PlannedPass
    let picture: PendingPicture
    let output: any PhotoOutput
    /// The results of earlier passes.
    var results: PassResults

    /// Continues without the accompanying picture.
    mutating func drop(_ refusal: MediaError, _ options: ConvertOptions) throws {
      switch planned.subject {
      case .picture: throw refusal
      case .gainMap: try results.drop(gainMap: refusal, options)
      case .auxiliary(let name): results.drop(auxiliary: name, refusal)
      }
    }
  }

  /// The data to append to a picture that is being written, and their part of the report.
  private struct Appendix {
    var gainMap: PhotoReport.GainMap?
    var video: LiveVideo?
  }

  private enum Stage {
    case unopened
    case pass(Pass)
    case picture(Appendix)
    case between
  }

  private(set) var report: PhotoReport
  private var stage = Stage.unopened
  private let request: PhotoRequest
  private let options: ConvertOptions
  private let workers: Int
  private let start = clockSeconds()
  private var photo = OpenedPhoto()
  /// The output for the primary picture, created before the file is opened, because an existing output saves all work.
  private var primaryOutput: (any PhotoOutput)?
  private var role = PictureRole.primary
  /// Whether the picture after the pass was started already.
  private var isAhead = false

  init(_ request: PhotoRequest, _ options: ConvertOptions, workers: Int) {
    self.request = request
    self.options = options
    self.workers = workers
    report = PhotoReport(input: request.name)
  }

  // MARK: What happens

  /// Opens the file and reads its contents.
  mutating func open() -> Step {
    do {
      if takesPrimary {
        primaryOutput = try request.output(.primary)
        // Its video may not exist yet.
        guard primaryOutput != nil || options.live == .keep else { return next() }
      }
      photo = try OpenedPhoto(
        request, options, isThere: takesPrimary && primaryOutput == nil, &report)
    } catch {
      return end(MediaError(error))
    }
    return next()
  }

  /// Records the result of the last recipe, or its failure, and returns the next step.
  mutating func close(_ made: Made) -> Step {
    let outcome = made.outcome
    report.decodeSeconds += outcome.decodeSeconds
    report.convertSeconds += outcome.convertSeconds
    report.encodeSeconds += outcome.encodeSeconds
    for use in outcome.decoders { report.decoders.add(use) }
    do {
      switch stage {
      case .pass(var pass):
        if let refusal = outcome.refusal {
          try pass.drop(refusal, options)
        } else {
          try pass.planned.pass.add(to: &pass.results)
          for use in pass.planned.pass.encoders { report.encoders.add(use) }
        }
        return try make(pass.picture, pass.output, pass.results)
      case .picture(let appendix):
        if let refusal = outcome.refusal { throw refusal }
        try commit(made, appendix)
      case .unopened, .between: break
      }
    } catch {
      return note(MediaError(error)) ?? next()
    }
    return next()
  }

  /// Records a failure. Other contents of the file are still extracted if one part is broken; a picture that fails ends
  /// the photo.
  private mutating func note(_ refusal: MediaError) -> Step? {
    guard options.parts != nil else { return end(refusal) }
    if photo.failure == nil {
      photo.failure = refusal
    } else {
      report.warnings.append(refusal.description)
    }
    return nil
  }

  // MARK: What comes next

  /// Whether only the primary picture is made.
  private var takesPrimary: Bool {
    options.images == .primary && options.parts == nil && request.longestSides.isEmpty
      && !request.takesEveryPicture
  }

  private mutating func next() -> Step {
    while true {
      do {
        return try nextStep()
      } catch {
        if let step = note(MediaError(error)) { return step }
      }
    }
  }

  /// Begins the next output. Bytes that are copied unchanged need no recipe.
  private mutating func nextStep() throws -> Step {
    stage = .between
    isAhead = false
    while let next = photo.pending.popLast() {
      guard let output = try output(next.role) else { continue }
      role = next.role
      switch next.content {
      case .picture(let picture):
        var results = PassResults()
        if let side = picture.options.longestSide { results.scaled = picture.sizes?.remove(side) }
        return try make(picture, output, results)
      case .bytes(let extents): try copy(extents, of: next, to: output)
      }
    }
    if let failure = photo.failure { return end(failure) }
    if report.status == .failed, report.failure == nil {
      report.status =
        report.outputs.isEmpty ? .skipped : photo.isSalvaged ? .salvaged : .converted
    }
    return end()
  }

  private mutating func end(_ refusal: MediaError? = nil) -> Step {
    report.seconds = clockSeconds() - start
    var held = photo.held
    held?.correct(by: report)
    report.losses = held?.losses(of: photo.holdings) ?? []
    if let refusal {
      // A text that appears as the reason is not repeated as a warning.
      report.warnings.removeAll { $0 == refusal.description }
      report.failure = refusal
      report.status = .failed
    }
    photo = OpenedPhoto()
    stage = .between
    return .done
  }

  private mutating func output(_ role: PictureRole) throws -> (any PhotoOutput)? {
    if role == .primary, let output = primaryOutput {
      primaryOutput = nil
      return output
    }
    return try request.output(role)
  }

  /// Copies bytes of the file.
  private mutating func copy(
    _ extents: [Extent], of pending: PendingOutput, to output: any PhotoOutput
  ) throws {
    try output.write(extents)
    guard let path = try output.commit() else { return }
    report.warnings += output.warnings
    report.outputs.append(
      PhotoReport.Output(
        path: path, role: role, width: pending.size.width, height: pending.size.height,
        bytes: extents.reduce(0) { $0 + $1.count }))
    if case .video = role { report.live?.output = path }
  }

  // MARK: Pictures

  /// Returns the next pass over a picture, or the picture itself if no pass is left.
  private mutating func make(
    _ picture: PendingPicture, _ output: any PhotoOutput, _ results: PassResults
  ) throws -> Step {
    let isHEIC = picture.options.format == .heic
    if isHEIC, picture.options.longestSide == nil || results.scaled != nil {
      return try makeHEIC(picture, output, results)
    }
    let preparation = try PicturePreparation(
      picture.picture, in: picture.source, options: picture.options, workers: workers,
      texts: picture.texts, video: picture.video, sizes: picture.sizes, results: results)
    if let first = try preparation.firstPass(), !isHEIC || first.pass.changesSize {
      let ahead = isHEIC ? nil : preparation.recipe(ahead: first)
      isAhead = ahead != nil
      stage = .pass(
        Pass(planned: first, picture: picture, output: output, results: preparation.results))
      return .decode(first.recipe(salvaging: picture.options.salvages), ahead: ahead)
    }
    if isHEIC { return try makeHEIC(picture, output, results) }
    let map = preparation.results.encodedGainMap.map { map in
      PhotoReport.GainMap(
        width: map.width, height: map.height, bytes: map.bytes.count,
        headroom: map.description.headroom, origin: map.description.origin.rawValue)
    }
    report.warnings += preparation.warnings
    stage = .picture(Appendix(gainMap: map, video: picture.video))
    let recipe = try preparation.recipe(output)
    if isAhead, let maker = recipe.maker { return .goOn(maker) }
    return .decode(recipe, ahead: nil)
  }

  private mutating func makeHEIC(
    _ picture: PendingPicture, _ output: any PhotoOutput, _ results: PassResults
  ) throws -> Step {
    var preparation = try HEICPreparation(
      picture.picture, in: picture.source, options: picture.options, workers: workers,
      results: results)
    if let first = try preparation.firstPass() {
      stage = .pass(
        Pass(planned: first, picture: picture, output: output, results: preparation.results))
      return .decode(first.recipe(salvaging: picture.options.salvages), ahead: nil)
    }
    let map = results.codedGainMap.map { map in
      let coded = map.auxiliary.picture
      return PhotoReport.GainMap(
        width: coded.width, height: coded.height,
        bytes: coded.tiles.reduce(0) { $0 + $1.count }, headroom: map.description.headroom,
        origin: map.description.origin.rawValue)
    }
    report.warnings += preparation.warnings
    stage = .picture(Appendix(gainMap: map))
    return .decode(try preparation.recipe(output), ahead: nil)
  }

  private mutating func commit(_ made: Made, _ appendix: Appendix) throws {
    guard let output = made.maker?.output else { return }
    if options.verifies {
      let check = OutputCheck(
        output: output, format: options.format, width: made.size.width, height: made.size.height,
        digest: made.maker?.encoder.digest)
      try check.run()
    }
    // By now the index of pictures is filled in, and does not refer to the bytes that follow.
    if let video = appendix.video { try output.write([video.extent]) }
    try photo.note(output, isOpaque: made.maker?.encoder.isFoundOpaque ?? false)
    guard let path = try output.commit() else { return }
    report.warnings += output.warnings
    var written = PhotoReport.Output(
      path: path, role: role, width: made.size.width, height: made.size.height,
      bytes: made.outcome.bytes + (appendix.video?.extent.count ?? 0))
    written.gainMap = appendix.gainMap
    for use in made.maker?.encoder.encoders ?? [] { report.encoders.add(use) }
    report.outputs.append(written)
    if !made.outcome.damage.isEmpty {
      report.status = .salvaged
      report.warnings += made.outcome.damage
    }
  }
}
