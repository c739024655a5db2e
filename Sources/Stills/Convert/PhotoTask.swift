// SPDX-License-Identifier: MIT

internal import ApusJPEG
internal import Bytes
internal import HEIF
internal import ISOBMFF
internal import Media
internal import Metadata

/// One file on its way through the engine: opened, its pictures made one after the other, closed.
///
/// May cross threads because one worker at a time has it: the one that opens it, or that closes a picture of it.
final class PhotoTask: @unchecked Sendable {
  /// The files in the order in which they were started.
  let number: Int
  private(set) var report: PhotoReport
  let progress: ProgressMeter?
  /// The report, once all is done, with what is to be told.
  var finished: PhotoSchedule.Finished { .init(request: request, report: report) }
  private let request: PhotoRequest
  let options: ConvertOptions
  private let workers: Int
  private let decoderThreads: Int
  private let start = clockSeconds()
  private var contents: PhotoContents?
  /// What the file holds, and what of that the outputs will, where somebody wants to know.
  private var holdings: [SourceHolding] = []
  private var held: OutputContents?
  /// What is still to be made, the next one last.
  private var pending: [PendingOutput] = []
  /// The output for the primary picture, begun before the file is opened: one that is there saves all work.
  private var primaryOutput: (any PhotoOutput)?
  private var role = PictureRole.primary
  /// What was wrong with the first part that could not be taken out, or with the video.
  private var failure: MediaError?
  /// Whether what there is of a video is written.
  private var isSalvaged = false
  /// The pass that is under way, which writes nothing, and what the next one goes on with.
  private var pass: Pass?
  /// The picture that comes after the pass, where it can be started already.
  private(set) var ahead: PictureJob?
  /// What follows the picture that is being made.
  private var gainMap: PhotoReport.GainMap?
  private var video: LiveVideo?

  private struct Pass {
    let planned: PlannedPass
    let picture: PendingPicture
    let output: any PhotoOutput
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

  /// - Parameter decoderThreads: how many threads may decode inside of a picture that has no tiles.
  init(
    _ request: PhotoRequest, number: Int, options: ConvertOptions, workers: Int,
    decoderThreads: Int
  ) {
    self.decoderThreads = decoderThreads
    self.request = request
    self.number = number
    self.options = options
    self.workers = workers
    report = PhotoReport(input: request.name)
    progress = request.progress.map { ProgressMeter(request.name, $0) }
  }

  /// Reads what the file holds. Returns its first picture, or nothing when the report says it all.
  func open() -> PictureJob? {
    do {
      try begin()
    } catch {
      return end(MediaError(error))
    }
    return next()
  }

  /// Takes the result of a picture and begins with the next one.
  func close(_ job: PictureJob) -> PictureJob? {
    let outcome = job.outcome
    report.decodeSeconds += outcome.decodeSeconds
    report.convertSeconds += outcome.convertSeconds
    report.encodeSeconds += outcome.encodeSeconds
    for use in outcome.decoders { report.decoders.add(use) }
    do {
      if let refusal = outcome.refusal {
        guard var pass else { throw refusal }
        try pass.drop(refusal, options)
        return try begin(pass.picture, pass.output, pass.results)
      }
      if var pass {
        try pass.planned.pass.add(to: &pass.results)
        for use in pass.planned.pass.encoders { report.encoders.add(use) }
        return try begin(pass.picture, pass.output, pass.results)
      }
      try commit(job, outcome)
    } catch {
      return goOn(after: MediaError(error))
    }
    return next()
  }

  /// What else a file holds beside its picture is taken out although one part is broken; a picture that fails ends
  /// the photo.
  private func goOn(after refusal: MediaError) -> PictureJob? {
    keep(refusal)
    return options.parts == nil ? end(refusal) : next()
  }

  private func next() -> PictureJob? {
    while true {
      do {
        return try nextJob()
      } catch {
        guard options.parts != nil else { return end(MediaError(error)) }
        keep(MediaError(error))
      }
    }
  }

  private func keep(_ refusal: MediaError) {
    pass = nil
    if failure == nil { failure = refusal } else { report.warnings.append(refusal.description) }
  }

  private func end(_ refusal: MediaError? = nil) -> PictureJob? {
    report.seconds = clockSeconds() - start
    held?.correct(by: report)
    report.losses = held?.losses(of: holdings) ?? []
    if let refusal {
      // What is said as the reason need not be said as a warning, too.
      report.warnings.removeAll { $0 == refusal.description }
      report.failure = refusal
      report.status = .failed
    }
    contents = nil
    return nil
  }

  /// Whether the primary picture is all that is made.
  private var takesPrimary: Bool {
    options.images == .primary && options.parts == nil && request.longestSides.isEmpty
      && !request.takesEveryPicture
  }

  private func begin() throws {
    if takesPrimary {
      primaryOutput = try request.output(.primary)
      // Its video may not be there yet.
      guard primaryOutput != nil || options.live == .keep else { return }
    }
    let isThere = primaryOutput == nil && takesPrimary
    let source = try request.open()
    report.bytesIn = source.count
    report.warnings += request.warnings
    if request.isCopied {
      report.isCopied = true
      return pending.append(PendingOutput(.primary, .bytes([Extent(source, 0..<source.count)])))
    }
    let kind = try FileKind(of: source)
    if request.longestSides.isEmpty, try options.copies(source, kind) {
      return try begin(jpeg: source, isThere: isThere)
    }
    guard options.decodes(kind) || kind == .jpeg && !request.longestSides.isEmpty else {
      throw MediaError(kind)
    }
    let contents = try PhotoContents(source, kind, options)
    self.contents = contents
    report.warnings += contents.warnings
    if options.weighsRemoval {
      holdings = contents.holdings
      held = OutputContents(options, of: contents)
    }
    let selection = OutputSelection(contents: contents, options: options, request: request)
    pending = try selection.outputs().reversed()
    report.isEmbedded = pending.last?.isEmbedded ?? false
    if pending.isEmpty { report.warnings.append(selection.emptiness) }
    if isThere { pending.removeAll { $0.role == .primary } }
    guard let video = try liveVideo(contents) else { return }
    for index in pending.indices where pending[index].role == .primary {
      guard case .picture(var picture) = pending[index].content else { continue }
      if options.live == .motionPhoto { picture.video = video }
      picture.options.hasVideoBeside = options.live == .keep && video.basis == .embedded
      pending[index].content = .picture(picture)
    }
  }

  /// A JPEG is a JPEG already, whatever it is called: its bytes stay as they are, but for what announces a video
  /// after it.
  private func begin(jpeg source: any ByteSource, isThere: Bool) throws {
    try options.checkCopy()
    let photo = try JPEGPhoto(Extent(source, 0..<source.count), limits: options.limits)
    let video = try liveVideo(.jpeg(photo))
    let copy = try CopiedJPEG(photo, video: options.live == .motionPhoto ? video : nil)
    if copy.leavesVideo { report.live = video.map { PhotoReport.Live($0, .dropped) } }
    guard !isThere else { return }
    report.isCopied = true
    report.warnings += copy.warnings
    var output = PendingOutput(.primary, .bytes(copy.content))
    output.size = (photo.header.width, photo.header.height)
    pending.append(output)
  }

  /// The video of a Live Photo, which is reported; one that goes beside the output is put where it is written last.
  private func liveVideo(_ contents: PhotoContents) throws -> LiveVideo? {
    guard let choice = options.live, let find = request.video else { return nil }
    let identifier = contents.liveIdentifier
    let found =
      if let video = contents.embeddedVideo(in: request.name) {
        video
      } else {
        try find(identifier)
      }
    guard let found else { return nil }
    if let failure = found.failure(options) {
      // The picture that goes beside it is whole.
      guard choice == .keep else { throw failure }
      report.live = PhotoReport.Live(found, .dropped)
      self.failure = failure
      return nil
    }
    report.warnings += found.warnings
    if choice != .drop, found.gap != nil { isSalvaged = true }
    switch choice {
    case .drop: report.live = PhotoReport.Live(found, .dropped)
    case .motionPhoto: report.live = PhotoReport.Live(found, .appended)
    case .keep:
      report.live = PhotoReport.Live(found, .kept)
      if found.isInPlace {
        report.live?.output = found.path
      } else {
        let ending = found.pathExtension
        pending.insert(
          PendingOutput(.video(extension: ending), .bytes([found.extent])), at: 0)
      }
    }
    return found
  }

  private func nextJob() throws -> PictureJob? {
    while let next = pending.popLast() {
      guard let output = try output(next.role) else { continue }
      role = next.role
      switch next.content {
      case .picture(let picture):
        ahead = nil
        var results = PassResults()
        if let side = picture.options.longestSide { results.scaled = picture.sizes?.remove(side) }
        return try begin(picture, output, results)
      case .bytes(let extents): try copy(extents, of: next, to: output)
      }
    }
    if let failure { return end(failure) }
    if report.status == .failed, report.failure == nil {
      report.status = report.outputs.isEmpty ? .skipped : isSalvaged ? .salvaged : .converted
    }
    return end()
  }

  /// Bytes of the file as they are.
  private func copy(
    _ extents: [Extent], of pending: PendingOutput, to output: any PhotoOutput
  ) throws {
    try output.write(extents)
    guard let path = try output.commit() else { return }
    report.outputs.append(
      PhotoReport.Output(
        path: path, role: role, width: pending.size.width, height: pending.size.height,
        bytes: extents.reduce(0) { $0 + $1.count }))
    if case .video = role { report.live?.output = path }
  }

  private func begin(
    _ picture: PendingPicture, _ output: any PhotoOutput, _ results: PassResults
  ) throws -> PictureJob? {
    let isHEIC = picture.options.format == .heic
    if isHEIC, picture.options.longestSide == nil || results.scaled != nil {
      return try beginHEIC(picture, output, results)
    }
    let preparation = try PicturePreparation(
      picture.picture, in: picture.source, options: picture.options, workers: workers,
      texts: picture.texts, video: picture.video, sizes: picture.sizes, results: results)
    if let first = try preparation.firstPass(), !isHEIC || first.pass.makesSmaller {
      let early = isHEIC ? nil : preparation.recipe(ahead: first)
      ahead = early.map { PictureJob($0, decoderThreads: decoderThreads) }
      return begin(first, picture, output, preparation.results)
    }
    if isHEIC { return try beginHEIC(picture, output, results) }
    pass = nil
    defer { ahead = nil }
    gainMap = preparation.results.encodedGainMap.map { map in
      PhotoReport.GainMap(
        width: map.width, height: map.height, bytes: map.bytes.count,
        headroom: map.description.headroom, origin: map.description.origin.rawValue)
    }
    report.warnings += preparation.warnings
    video = picture.video
    let recipe = try preparation.recipe(output)
    guard let ahead, let maker = recipe.maker else { return try begin(recipe) }
    ahead.make(maker)
    try ahead.begin()
    return ahead
  }

  private func begin(_ recipe: Recipe) throws -> PictureJob {
    let job = PictureJob(recipe, decoderThreads: decoderThreads)
    try job.begin()
    return job
  }

  private func begin(
    _ first: PlannedPass, _ picture: PendingPicture, _ output: any PhotoOutput,
    _ results: PassResults
  ) -> PictureJob {
    pass = Pass(planned: first, picture: picture, output: output, results: results)
    let job = PictureJob(
      first.recipe(salvaging: picture.options.salvages), decoderThreads: decoderThreads)
    do {
      try job.begin()
    } catch {
      // Closing the pass tells what becomes of it.
      job.abandon(MediaError(error))
    }
    return job
  }

  private func beginHEIC(
    _ picture: PendingPicture, _ output: any PhotoOutput, _ results: PassResults
  ) throws -> PictureJob {
    var preparation = try HEICPreparation(
      picture.picture, in: picture.source, options: picture.options, workers: workers,
      results: results)
    if let first = try preparation.firstPass() {
      return begin(first, picture, output, preparation.results)
    }
    pass = nil
    gainMap = results.codedGainMap.map { map in
      let coded = map.auxiliary.picture
      return PhotoReport.GainMap(
        width: coded.width, height: coded.height,
        bytes: coded.tiles.reduce(0) { $0 + $1.count }, headroom: map.description.headroom,
        origin: map.description.origin.rawValue)
    }
    report.warnings += preparation.warnings
    return try begin(try preparation.recipe(output))
  }

  private func output(_ role: PictureRole) throws -> (any PhotoOutput)? {
    if role == .primary, let output = primaryOutput {
      primaryOutput = nil
      return output
    }
    return try request.output(role)
  }

  private func commit(_ job: PictureJob, _ outcome: PictureJob.Outcome) throws {
    guard let output = job.maker?.output else { return }
    if options.verifies {
      let check = OutputCheck(
        output: output, format: options.format, width: job.size.width, height: job.size.height,
        digest: job.maker?.encoder.digest)
      try check.run()
    }
    // The index of the pictures is filled in by now, and names none of the bytes that follow.
    if let video { try output.write([video.extent]) }
    guard let path = try output.commit() else { return }
    var written = PhotoReport.Output(
      path: path, role: role, width: job.size.width, height: job.size.height,
      bytes: outcome.bytes + (video?.extent.count ?? 0))
    written.gainMap = gainMap
    for use in job.maker?.encoder.encoders ?? [] { report.encoders.add(use) }
    report.outputs.append(written)
    if !outcome.damage.isEmpty {
      report.status = .salvaged
      report.warnings += outcome.damage
    }
  }
}
