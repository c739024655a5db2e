// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusMetadata
internal import HEIF

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

  /// The data to append to a picture that is being written, and their part of the report.
  private struct Appendix {
    var gainMap: PhotoReport.GainMap?
    var video: LiveVideo?
  }

  private enum Stage {
    case unopened
    /// A pass is in progress; the picture goes to the output afterwards.
    case pass(PlannedPass, PictureDecision, any PhotoOutput)
    case picture(Appendix)
    case between
  }

  private(set) var report: PhotoReport
  private var stage = Stage.unopened
  private let request: PhotoRequest
  private let options: ConvertOptions
  private let workers: Int
  private let start = SuspendingClock.now
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
        primaryOutput = try begin(.primary)
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
      case .pass(let pass, var decision, let output):
        if let refusal = outcome.refusal {
          try decision.drop(pass.subject, refusal)
        } else {
          try decision.add(pass)
          for use in pass.pass.encoders { report.encoders.add(use) }
        }
        return try make(decision, output)
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
    guard options.job.parts != nil else { return end(refusal) }
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
    options.job.makesOnePicture && request.longestSides.isEmpty
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
        let scaled = picture.options.longestSide.flatMap { picture.sizes?.remove($0) }
        return try make(PictureDecision(picture, workers: workers, scaled: scaled), output)
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
    report.seconds = (SuspendingClock.now - start) / .seconds(1)
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
    return try begin(role)
  }

  /// Creates an output; `nil` if it is not wanted, or exists already.
  private mutating func begin(_ role: PictureRole) throws -> (any PhotoOutput)? {
    guard let output = try request.output(role) else { return nil }
    if let existing = output.existing { report.existing.append(existing) }
    return output.existing == nil ? output : nil
  }

  /// Gives an output its name; `nil` if another process has taken it in the meantime.
  private mutating func commit(_ output: any PhotoOutput) throws -> String? {
    let path = try output.commit()
    if let existing = output.existing { report.existing.append(existing) }
    return path
  }

  /// Copies bytes of the file.
  private mutating func copy(
    _ extents: [Extent], of pending: PendingOutput, to output: any PhotoOutput
  ) throws {
    try output.write(extents)
    if options.verifies { try OutputCheck.compare(output.written(), with: extents) }
    guard let path = try commit(output) else { return }
    report.warnings += output.warnings
    report.outputs.append(
      PhotoReport.Output(
        path: path, role: role, width: pending.size.width, height: pending.size.height,
        bytes: extents.reduce(0) { $0 + $1.count }))
    if case .video = role { report.live?.output = path }
  }

  // MARK: Pictures

  /// Returns the next pass over a picture, or the picture itself if no pass is left.
  private mutating func make(_ decision: PictureDecision, _ output: any PhotoOutput) throws
    -> Step
  {
    var decision = decision
    if let pass = try decision.nextPass() {
      let ahead = decision.recipe(ahead: pass)
      isAhead = ahead != nil
      stage = .pass(pass, decision, output)
      return .decode(pass.recipe(salvaging: decision.options.salvages), ahead: ahead)
    }
    report.warnings += decision.warnings()
    stage = .picture(
      Appendix(gainMap: decision.results.gainMap?.report, video: decision.picture.video))
    let recipe = try decision.recipe(output)
    if isAhead, let maker = recipe.maker { return .goOn(maker) }
    return .decode(recipe, ahead: nil)
  }

  private mutating func commit(_ made: Made, _ appendix: Appendix) throws {
    guard let maker = made.maker, let output = maker.output else { return }
    if options.verifies {
      let check = OutputCheck(
        output: output, format: options.format, width: made.size.width, height: made.size.height,
        digest: maker.encoder.digest)
      try check.run()
    }
    // By now the index of pictures is filled in, and does not refer to the bytes that follow.
    if let video = appendix.video { try output.write([video.extent]) }
    try photo.note(output, isOpaque: maker.encoder.isFoundOpaque)
    guard let path = try commit(output) else { return }
    report.warnings += output.warnings
    var written = PhotoReport.Output(
      path: path, role: role, width: made.size.width, height: made.size.height,
      bytes: made.outcome.bytes + (appendix.video?.extent.count ?? 0))
    written.gainMap = appendix.gainMap
    for use in maker.encoder.encoders { report.encoders.add(use) }
    report.outputs.append(written)
    if !made.outcome.damage.isEmpty {
      report.status = .salvaged
      report.warnings += made.outcome.damage
    }
  }
}
