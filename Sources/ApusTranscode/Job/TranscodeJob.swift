// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusContainers
internal import ApusFFmpeg
public import ApusFiles
internal import ApusMedia
public import ApusSamples

/// Re-encodes an input into a container.
public struct TranscodeJob: CancellableJob {
  /// The options of a job.
  public struct Options: Sendable {
    /// The settings of the codecs and the pictures.
    public var settings = TranscodeSettings()
    /// The container, and the options of writing it.
    public var remux: RemuxJob.Options
    /// The processing of each picture before it is encoded.
    public var step: PictureStep?
    /// The part left by another run with the same settings, which this one continues.
    public var kept: KeptPart?
    /// Returns, between samples, whether the output should end there.
    public var isStopped: @Sendable () -> Bool = { false }
    /// Called with the progress now and then.
    public var onProgress: @Sendable (TranscodeProgress) -> Void = { _ in }

    /// Creates the default options for a container.
    public init(_ target: RemuxTarget) { remux = RemuxJob.Options(target) }
  }

  /// The options as passed to `init`, with the values that follow from the input.
  public internal(set) var options: Options
  let input: MediaInput
  /// Returns, between samples, whether the job should end with an error.
  package var isCancelled: @Sendable () -> Bool = { false }

  /// - Parameter input: an input that begins at or before the settings' start.
  public init(_ input: MediaInput, options: Options) throws {
    self.input = input
    self.options = options
    if let end = options.settings.end {
      self.options.remux.end = try options.settings.window.moved(end)
    }
    if options.settings.ladder != nil { try Self.checkLadder(options) }
    guard options.settings.video.passes == 1 || options.kept == nil else {
      throw MediaError(.misuse, of: .input, "is encoded in two passes, which cannot be resumed")
    }
    guard options.settings.video.passes == 1 || !input.isGrowing else {
      throw MediaError(.misuse, of: .input, "can be read only once, but two passes read it twice")
    }
  }

  private static func checkLadder(_ options: Options) throws(MediaError) {
    guard options.remux.target == .hls else {
      throw MediaError(.misuse, of: .part("ladder"), "is only for presentations, not for one file")
    }
    guard options.settings.video.passes == 1 else {
      throw MediaError(.misuse, of: .part("ladder"), "is coded in one pass")
    }
    guard let rungs = options.settings.ladder?.rungs, !rungs.isEmpty,
      rungs.allSatisfy({ $0.codec != .copy && (16...8640).contains($0.height) })
    else {
      throw MediaError(.misuse, of: .part("ladder"), "has no rungs that can be coded")
    }
  }

  /// Writes a container that can be written from its beginning to its end.
  public func writeAndWait<Sink: ByteSink>(to sink: inout Sink) throws -> TranscodeReport {
    let prepared = try prepared()
    return prepared.report(try prepared.job.writeAndWait(to: &sink))
  }

  /// Writes a file while the task is suspended. Cancelling the task ends the job with `CancellationError`, and no file
  /// appears; of a plain movie, `PATH.part` is kept.
  ///
  /// - Returns: the report, the path and the size in bytes; `nil` if an existing file is kept.
  public func write(to path: String, onExists: OnExists = .skip) async throws -> (
    report: TranscodeReport, path: String, count: Int
  )? {
    try await onThread { try $0.writeAndWait(to: path, onExists: onExists) }
  }

  /// Writes a file like `write`, and returns its progress and its result. Cancelling the task that reads them cancels
  /// the job.
  public func events(
    ofWritingTo path: String, onExists: OnExists = .skip
  ) -> AsyncThrowingStream<TranscodeEvent, any Error> {
    AsyncThrowingStream { continuation in
      var job = self
      job.options.onProgress = { continuation.yield(.progress($0)) }
      let task = Task { [job] in
        do {
          let written = try await job.write(to: path, onExists: onExists)
          continuation.yield(
            written.map { .written($0.report, path: $0.path, bytes: $0.count) } ?? .exists)
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Writes a file; until a plain movie is finished, `PATH.part` holds what has come.
  ///
  /// - Returns: the report, the path and the size in bytes; `nil` if an existing file is kept.
  public func writeAndWait(to path: String, onExists: OnExists) throws -> (
    report: TranscodeReport, path: String, count: Int
  )? {
    guard onExists != .skip || !FileSystem.exists(path) else { return nil }
    let prepared = try prepared()
    guard let written = try prepared.job.writeAndWait(to: path, onExists: onExists) else {
      return nil
    }
    return (prepared.report(written.report), written.path, written.count)
  }

  /// Returns a source that encodes as it is pulled, for an output outside of the job, and the tracks that are not in
  /// it. Copies share what comes.
  public func source() throws -> (
    source: any SampleSource & Sendable, leftOut: [(name: String, reason: String)]
  ) {
    let survey = try survey()
    let (plan, run, source) = try begun(survey, pass: nil)
    return (source, plan.leftOut + empty(in: run))
  }

  private func empty(in run: TranscodeRun) -> [(name: String, reason: String)] {
    run.empty.map { (input.source.tracks[$0].name, "holds nothing") }
  }

  /// Writes `PATH.part`, a movie in fragments, and removes it when something was made of it.
  func writePart<Result>(
    of path: String, _ use: (TranscodeReport, String) throws -> Result
  ) throws -> Result? {
    let prepared = try prepared(.mp4)
    return try prepared.job.writePart(of: path) { (report, part) throws in
      try use(prepared.report(report), part)
    }
  }

  private struct Prepared {
    var target: RemuxTarget
    var job: RemuxJob
    var plan: TranscodePlan
    var run: TranscodeRun
    var empty: [(name: String, reason: String)]
    var statistics: StatisticsFolder?
    var kept: Int?

    func report(_ output: RemuxReport) -> TranscodeReport {
      var report = TranscodeReport()
      report.output = output
      report.output.warnings += plan.warnings
      report.output.leftOut = plan.leftOut + output.leftOut + empty
      if !target.isMovie { report.output.warnings += run.kept(hidesFirst: target == .hls) }
      report.tracks = run.facts
      report.output.warnings += report.tracks.flatMap { track in
        track.losses.map { "\(track.name): \($0)" }
      }
      for track in report.tracks {
        if let fallback = track.fallback {
          report.output.warnings.append("\(track.name) \(fallback)")
        }
      }
      report.isStopped = run.wasStopped
      report.keptPictures = kept
      return report
    }
  }

  /// - Parameter target: the container, if it differs from the one in the options.
  private func prepared(_ target: RemuxTarget? = nil) throws -> Prepared {
    let survey = try survey()
    var pass: CodingRequest.Pass?
    var statistics: StatisticsFolder?
    if options.settings.video.passes == 2 {
      let folder = try StatisticsFolder()
      try count(survey, pass: .first(folder.path))
      (pass, statistics) = (.second(folder.path), folder)
    }
    let (plan, run, source) = try begun(survey, pass: pass)
    var remux = options.remux
    if let target { remux.target = target }
    var coded: any SampleSource & Sendable = source
    if let part = options.kept {
      let cuts = plan.resumed?.cuts ?? [:]
      coded = try ResumedSource(
        part, cuts, isNumbered: options.settings.start == nil, places: plan.resumed?.places ?? [:],
        then: source)
      remux.part.kept = cuts.values.reduce(0) { $0 + $1.count }
    }
    var job = try RemuxJob(MediaInput(coded: coded, kind: input.kind), options: remux)
    job.isCancelled = isCancelled
    return Prepared(
      target: options.remux.target, job: job, plan: plan, run: run, empty: empty(in: run),
      statistics: statistics,
      kept: options.kept == nil ? nil : plan.keptPictures)
  }

  private func survey() throws -> RateSurvey {
    try RateSurvey(input.source, isGrowing: input.isGrowing)
  }

  /// Runs the first of two passes, of which only the statistics are kept.
  private func count(_ survey: RateSurvey, pass: CodingRequest.Pass) throws {
    var counting = self
    counting.options.settings.audio.codec = .none
    var source = try counting.begun(survey, pass: pass).source
    while try source.next() != nil {}
    if isCancelled() { throw CancellationError() }
  }

  private func begun(_ survey: RateSurvey, pass: CodingRequest.Pass?) throws -> (
    plan: TranscodePlan, run: TranscodeRun, source: ReportingSource
  ) {
    let plan = try TranscodePlan(input.source, options, survey.rates, pass: pass)
    let run = try plan.run(survey.source) { [options, isCancelled] in
      options.isStopped() || isCancelled()
    }
    let details = try input.source.details.cut(to: options.settings.window)
    let source = ReportingSource(run, options, details) {
      $0.duration = options.duration(of: survey)
      if let kept = plan.resumed {
        $0.keptFrames = plan.keptPictures
        $0.frames = plan.keptPictures
        $0.kept = kept.cuts.values.map(\.shown).min { $0.isBefore($1) } ?? $0.kept
        $0.time = $0.kept
      }
      switch pass {
      case .first: ($0.pass, $0.passes) = (1, 2)
      case .second: ($0.pass, $0.passes) = (2, 2)
      case nil: break
      }
    }
    return (plan, run, source)
  }
}

extension TranscodeJob.Options {
  /// Returns the duration of the output, as far as it is known in advance.
  fileprivate func duration(of survey: RateSurvey) -> RationalTime? {
    let ends = [settings.end, survey.duration].compactMap(\.self)
    guard let end = ends.min(by: { $0.isBefore($1) })?.rounded(to: 1000) else { return nil }
    return .milliseconds(end - (settings.start?.rounded(to: 1000) ?? 0))
  }
}

extension VideoSettings {
  /// The number of passes over the pictures: 2 for a bit rate in two passes, otherwise 1.
  public var passes: Int { if case .bitRate(_, 2) = rate { 2 } else { 1 } }
}
