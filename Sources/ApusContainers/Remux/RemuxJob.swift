// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusFiles
public import ApusMedia
public import ApusSamples
public import FLV
internal import HEVC
public import ISOBMFF

/// Copies the samples of an input to another container, unchanged.
///
/// After `init`, before anything is written, it is known what cannot be carried over.
public struct RemuxJob: CancellableJob {
  /// The options of a remux.
  public struct Options: Sendable {
    /// The container to write.
    public var target: RemuxTarget
    /// The dialect of HEVC in FLV.
    public var dialect = HEVCDialect.enhanced
    /// Whether FLV gets an index of its key frames.
    public var indexesKeyFrames = true
    /// The duration of the fragments of a fragmented movie; `nil` for one from each key frame to the next, of at most
    /// two seconds.
    public var fragmentDuration: RationalTime?
    /// The time after which a movie shows nothing, even if it has samples.
    public var end: RationalTime?
    /// The muxers for Matroska and transport streams.
    public var muxers: (any MuxerMaker)?
    /// Tags to be set or removed.
    public var tags: [TagChange] = []
    /// Options for the part that a movie is until it is finished.
    public var part = PartFile.Options()

    /// Creates the default options for a container.
    public init(_ target: RemuxTarget) { self.target = target }
  }

  /// The options as passed to `init`.
  public let options: Options
  /// The facts known before anything is written: the tracks, and those that are left out.
  public let plan: RemuxReport
  let source: TimedTextSource
  /// Whether samples can be read only once.
  private let isGrowing: Bool
  /// Returns, between samples, whether the job should end with an error.
  package var isCancelled: @Sendable () -> Bool = { false }

  /// Creates a job, and determines what the target cannot hold.
  ///
  /// - Parameters:
  ///   - input: the opened input, which is read only when the job writes.
  ///   - isTrimmed: whether the input begins in the middle, so that its times are shifted to begin at 0.
  /// - Throws: `MediaError` if the target cannot hold any track, or its video; if a tag cannot be stored; for HLS,
  ///   which `HLSJob` writes; or if the target needs a muxer and there is none.
  public init(_ input: MediaInput, options: Options, isTrimmed: Bool = false) throws {
    try Self.check(options)
    self.options = options
    isGrowing = input.isGrowing
    let tracks = TimedTextTrack.carried(input.source.tracks, options.target)
    var plan = RemuxReport()
    let kept = try plan.add(tracks, of: input.source, options)
    plan.addSettled(kept.map { tracks[$0] }, options.target)
    plan.add(input.source.details.attachments, options.target)
    plan.warnings += Self.losses(of: kept, tracks, input.source.tracks.names, input, options)
    let hasHEVC = kept.contains { if case .hevc = tracks[$0].format { true } else { false } }
    if options.target == .flv, hasHEVC { plan.dialect = options.dialect }
    let shown = options.target.isMovie ? input.source : input.shownSource
    let whole = SelectedSource(shown, indices: kept)
    // The first time means nothing in FLV, and in an input that begins in the middle.
    let isMoved = isTrimmed || (options.target.isMovie && input.kind == .flv)
    if !input.isGrowing, isMoved, let start = try whole.start(), start.value != 0 {
      plan.shift = RationalTime(0 &- start.value, per: start.timescale)
      let moved = SelectedSource(shown, indices: kept, origin: start)
      source = TimedTextSource(moved, for: options.target)
    } else {
      source = TimedTextSource(whole, for: options.target)
    }
    self.plan = plan
  }

  /// Throws if this job does not write the target, or if the target cannot store a tag.
  private static func check(_ options: Options) throws {
    guard options.target != .hls else { throw manyFiles }
    guard !options.target.isMuxed || options.muxers != nil else { throw noMuxer }
    for change in options.tags where !options.target.holds(change) {
      throw MediaError(
        .unsupported, of: .part(change.name), "cannot be stored in \(options.target.title)")
    }
  }

  /// Writes the container to a sink while the calling thread waits.
  ///
  /// - Returns: the report, with the counts and losses that are known only at the end.
  public func writeAndWait<Sink: ByteSink>(to sink: inout Sink) throws -> RemuxReport {
    switch options.target {
    case .flv: return try writeFLV(to: &sink)
    case .hevc:
      var output = try AnnexBOutput(source.tracks, to: sink, isLive: isGrowing)
      let report = try carry(to: &output)
      sink = output.sink
      return report
    case .mp4, .mov:
      var movie = MovieOptions()
      movie.style = options.target == .mov ? .quickTime : .mp4
      movie.end = options.end
      var output = try MovieOutput(source.tracks, details, to: sink, options: movie)
      let report = try carry(to: &output, isLate: true)
      sink = output.sink
      return report
    case .hls: throw Self.manyFiles
    case .mkv, .webm, .ts: return try writeMuxed(to: &sink)
    case .fmp4:
      var movie = MovieOptions()
      movie.end = options.end
      if let length = options.fragmentDuration {
        (movie.longestFragment, movie.shortestFragment) = (length, length)
      }
      var output = try FragmentedMovieOutput(
        source.tracks, details, to: sink, options: movie)
      let report = try carry(to: &output)
      sink = output.sink
      return report
    }
  }

  /// The details that the output gets.
  private var details: MediaDetails {
    var details = source.details
    details.apply(options.tags)
    return details
  }

  private static var noMuxer: MediaError {
    MediaError(.misuse, of: .part("format"), "is one that a muxer writes, and none was given")
  }

  private static var manyFiles: MediaError {
    MediaError(.misuse, of: .part("format"), "hls is many files, which HLSJob writes")
  }

  /// Writes FLV, in two passes if possible, because the metadata at the beginning contain measurements.
  private func writeFLV<Sink: ByteSink>(to sink: inout Sink) throws -> RemuxReport {
    var metadata: AMFMessage?
    if !isGrowing {
      var measure = try FLVOutput(
        source.tracks, details, to: CountingSink(), dialect: options.dialect)
      _ = try carry(to: &measure)
      metadata = try measure.measured(isIndexed: options.indexesKeyFrames)
    }
    var output = try FLVOutput(
      source.tracks, details, to: sink, dialect: options.dialect, metadata: metadata,
      isLive: isGrowing)
    var report = try carry(to: &output)
    sink = output.sink
    if output.shift > 0, let shift = plan.shift.rounded(to: 1000) {
      report.shift = .milliseconds(shift &+ output.shift)
    }
    return report
  }

  /// Writes a container of a library, Matroska in two passes if possible, because its beginning describes its end.
  private func writeMuxed<Sink: ByteSink>(to sink: inout Sink) throws -> RemuxReport {
    let returns = options.target.isMatroska && !isGrowing
    func output<Target: ByteSink>(
      to sink: Target, known: [MuxedOutput<Target>.Replacement]? = nil
    ) throws -> MuxedOutput<Target> {
      guard let muxers = options.muxers else { throw Self.noMuxer }
      let muxer = try muxers.muxer(
        of: options.target, source.tracks, details, canReturn: returns)
      return try MuxedOutput(
        source.tracks, in: options.target, by: muxer, to: sink, known: known, isLive: isGrowing)
    }
    var known: [(offset: Int, bytes: [UInt8])]?
    if returns {
      var measure = try output(to: CountingSink())
      _ = try carry(to: &measure)
      known = measure.replaced
    }
    var output = try output(to: sink, known: known)
    var report = try carry(to: &output)
    sink = output.sink
    if output.shift.value > 0, let shift = output.shift.adding(plan.shift) { report.shift = shift }
    return report
  }

  /// Writes a file while the task is suspended. Cancelling the task ends the job with `CancellationError`, and no file
  /// appears; of a plain movie whose input is still coming, `PATH.part` is kept.
  ///
  /// - Returns: the report, the path of the file and its size in bytes; `nil` if an existing file is kept.
  public func write(to path: String, onExists: OnExists = .skip) async throws -> (
    report: RemuxReport, path: String, count: Int
  )? {
    try await onThread { try $0.writeAndWait(to: path, onExists: onExists) }
  }

  /// Writes a file. Until a plain movie of an input that is still coming is over, `PATH.part` holds what has come.
  ///
  /// - Returns: the report, the path of the file and its size in bytes; `nil` if an existing file is kept.
  public func writeAndWait(to path: String, onExists: OnExists) throws -> (
    report: RemuxReport, path: String, count: Int
  )? {
    guard isGrowing, options.target == .mp4 || options.target == .mov else {
      guard let file = try FileOutput(path, onExists: onExists) else { return nil }
      var sink = file.writer
      let report = try writeAndWait(to: &sink)
      return (report, try file.commit(), file.writer.count)
    }
    guard
      var output = try MovieFile(
        path, as: options.target, onExists: onExists, source.tracks, details,
        end: options.end, part: options.part)
    else { return nil }
    let report = try carry(to: &output)
    return (report, output.path, output.count)
  }

  /// Writes `PATH.part` only, and removes it when something was made of it; returns `nil` where no name is available
  /// for it.
  package func writePart<Result>(
    of path: String, _ use: (RemuxReport, String) throws -> Result
  ) throws -> Result? {
    guard
      var output = try PartFile(
        of: path, as: options.target, source.tracks, details, options.part)
    else { return nil }
    let result = try use(carry(to: &output), output.path)
    output.remove()
    return result
  }
}

extension CodedSample {
  /// The time at which it ends, as far as it is known.
  package var end: RationalTime {
    guard let duration, duration.timescale == presentationTime.timescale else {
      return presentationTime
    }
    return RationalTime(
      presentationTime.value &+ duration.value, per: presentationTime.timescale)
  }
}
