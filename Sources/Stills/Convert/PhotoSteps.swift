// SPDX-License-Identifier: MIT

internal import Bytes
internal import HEIF
internal import Media
internal import Metadata

/// One file from its request to its report, as a state machine: it says what to decode next, learns what that came
/// to, and decodes nothing itself.
struct PhotoSteps {
  /// What is to be done next.
  enum Step {
    /// A recipe is to be carried out. The picture that comes after it can be started meanwhile by the other recipe, where
    /// there is one; what is made of that is said later.
    case decode(Recipe, ahead: Recipe?)
    /// This is made of the picture that was started ahead.
    case goOn(PictureMaker)
    /// The report says it all.
    case done
  }

  /// What a recipe came to.
  struct Made {
    /// The sides of what was written.
    let size: (width: Int, height: Int)
    let maker: PictureMaker?
    let outcome: PictureJob.Outcome
  }

  /// The pass over a picture that is under way, which writes nothing.
  private struct Pass {
    let planned: PlannedPass
    let picture: PendingPicture
    let output: any PhotoOutput
    /// What earlier passes have found.
    var results: PassResults

    /// Goes on without what accompanies the picture.
    mutating func drop(_ refusal: MediaError, _ options: ConvertOptions) throws {
      switch planned.subject {
      case .picture: throw refusal
      case .gainMap: try results.drop(gainMap: refusal, options)
      case .auxiliary(let name): results.drop(auxiliary: name, refusal)
      }
    }
  }

  /// What follows a picture that is being written, and what is reported of that.
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
  /// The output for the primary picture, begun before the file is opened: one that is there saves all work.
  private var primaryOutput: (any PhotoOutput)?
  private var role = PictureRole.primary
  /// Whether the picture that comes after the pass was started already.
  private var isAhead = false

  init(_ request: PhotoRequest, _ options: ConvertOptions, workers: Int) {
    self.request = request
    self.options = options
    self.workers = workers
    report = PhotoReport(input: request.name)
  }

  // MARK: What happens

  /// The file has its turn: reads what it holds.
  mutating func open() -> Step {
    do {
      if takesPrimary {
        primaryOutput = try request.output(.primary)
        // Its video may not be there yet.
        guard primaryOutput != nil || options.live == .keep else { return next() }
      }
      photo = try OpenedPhoto(
        request, options, isThere: takesPrimary && primaryOutput == nil, &report)
    } catch {
      return end(MediaError(error))
    }
    return next()
  }

  /// What was to be decoded has been, or could not be.
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

  /// Something came to nothing. What else a file holds beside its picture is taken out although one part is broken; a
  /// picture that fails ends the photo.
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

  /// Whether the primary picture is all that is made.
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

  /// Begins with the next output. Bytes that are written as they are need no recipe.
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
      // What is said as the reason need not be said as a warning, too.
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

  /// Bytes of the file as they are.
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

  /// The next pass over a picture, or the picture itself where no pass is left.
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
    // The index of the pictures is filled in by now, and names none of the bytes that follow.
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
