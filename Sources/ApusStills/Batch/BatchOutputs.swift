// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFiles
internal import ApusMedia
internal import Synchronization

/// Opens the items of a batch and begins their outputs, as the settings say.
final class BatchOutputs: Sendable {
  private let settings: BatchSettings
  let videos = LiveVideos()

  init(_ settings: BatchSettings) { self.settings = settings }

  /// Returns the request that the engine needs to convert a photo.
  ///
  /// - Parameter source: decides which item owns an output, and is notified of written files.
  func request(for item: BatchItem, in source: any BatchSource) -> PhotoRequest {
    let video = FoundVideo()
    var request = request(for: item, video) { role in
      try self.output(role, of: item, video, in: source)
    }
    switch item.decision?.action {
    case .job(let job):
      request.job = { isStopped in self.report(of: job, item, in: source, isStopped) }
    case .refuse: request.job = { _ in self.refusal(of: item) }
    case .copy, .convert, nil: break
    }
    return request
  }

  /// Returns a request that writes nothing, and compares the result with the existing files.
  func comparison(for item: BatchItem) -> PhotoRequest {
    request(for: item, FoundVideo()) { [settings] role in
      try SpooledDestination(settings.target.path(role, of: item), for: .comparison)
    }
  }

  private func request(
    for item: BatchItem, _ video: FoundVideo,
    output: @escaping @Sendable (PictureRole) throws -> (any PhotoOutput)?
  ) -> PhotoRequest {
    var request = PhotoRequest(
      name: item.name.path,
      open: { [settings] in try Self.open(item, settings.options.boxLimits) }, output: output)
    if case .copy? = item.decision?.action { request.isCopied = true }
    if settings.describesSource, let file = item.file, file.isRegular {
      request.texts = ThumbnailFacts(path: item.name.path, file: file).texts
    }
    request.warnings = item.decision?.warnings ?? []
    switch settings.target.place {
    case .pipe: request.takesOne = true
    case .file: (request.takesOne, request.depthDocument) = (true, settings.depthDocument)
    case .beside, .folder: request.depthDocument = settings.depthDocument
    }
    if settings.options.live != nil, item.name.path != "-" {
      request.video = { identifier in
        let found = try self.video(of: item, identifier)
        video.video.withLock { $0 = found }
        return found
      }
    }
    return request
  }

  /// Returns the photo that a movie belongs to, so that the movie is not converted as a file in its own right.
  func photo(of movie: InputName) -> String? {
    settings.options.live == nil ? nil : videos.photo(of: movie.path)
  }

  private func video(of item: BatchItem, _ identifier: String?) throws -> LiveVideo? {
    guard var video = try videos.video(of: item.name.path, identifier: identifier) else {
      return nil
    }
    if settings.options.live == .keep, let file = video.file {
      // The video has this name whatever an export decides about the photo.
      let path = settings.target.path(
        .video(extension: video.pathExtension), of: item.name, item.fields)
      video.isInPlace = FileIdentity(path).map { $0.isSameFile(as: file) } ?? false
    }
    return video
  }

  /// Returns whether the output that an earlier run made of a file has been removed. Returns `false` if the output's
  /// name depends on the other files of the run or on the content of the file.
  func isGone(of item: BatchItem) -> Bool {
    if case .pipe = settings.target.place { return false }
    guard settings.options.job.parts == nil, !settings.target.name.isNumbered else { return false }
    return !FileSystem.exists(settings.target.path(.primary, of: item))
  }

  /// Returns a report if work on a file must not begin; `nil` if it may. Called in the order of the files, so that the
  /// first one gets the name whatever the number of workers.
  ///
  /// - Parameter isConfined: whether photos are decoded in processes that do nothing but decode.
  func refusal(of item: BatchItem, in source: any BatchSource, isConfined: Bool) -> PhotoReport? {
    if let report = refusedOutput(of: item, in: source) { return report }
    switch item.decision?.action {
    case .refuse: return refusal(of: item)
    case .job(let job) where isConfined: return refusal(of: item, job.refusalWhenConfined)
    case .copy, .convert, .job, nil: return nil
    }
  }

  private func refusal(of item: BatchItem, _ message: String? = nil) -> PhotoReport {
    var report = PhotoReport(input: item.name.path)
    report.failure = MediaError(
      .unsupported, of: .input, message ?? "is not accepted: \(item.decision?.refusal ?? "")")
    return report
  }

  /// Returns a report if the output of a file belongs to another file of this batch.
  private func refusedOutput(of item: BatchItem, in source: any BatchSource) -> PhotoReport? {
    if case .pipe = settings.target.place { return nil }
    // The parts in a photo are unknown until it is opened.
    if settings.options.job.parts != nil { return nil }
    let path = settings.target.path(.primary, of: item)
    return refusal(of: item.name, path, source.claim(path, for: item))
  }

  /// Returns a report if a claim on an output does not allow its input to be converted.
  func refusal(of input: InputName, _ path: String, _ claim: OutputClaims.Claim) -> PhotoReport? {
    var report = PhotoReport(input: input.path)
    switch claim {
    case .first: return nil
    case .again: report.status = .skipped
    case .taken:
      if settings.onExists == .rename { return nil }
      report.failure = MediaError(taken: path)
    case .input: report.failure = MediaError(input: path)
    case .similar:
      let existing = OutputClaims.file(similarTo: path) ?? path
      if settings.onExists == .skip {
        report.existing = [existing]
        report.status = .skipped
      } else {
        report.failure = MediaError(existing, isSimilarTo: path)
      }
    }
    return report
  }

  private static func open(_ item: BatchItem, _ limits: Limits) throws -> any ByteSource {
    do throws(FileError) {
      return try item.name.opened(limits)
    } catch {
      throw MediaError(.io, "cannot be opened: \(error.reason)")
    }
  }

  private func output(
    _ role: PictureRole, of item: BatchItem, _ found: FoundVideo, in source: any BatchSource
  ) throws -> (any PhotoOutput)? {
    guard item.file != nil else {
      throw MediaError(.io, "cannot be opened: \(FileError("open", "", code: 2).reason)")
    }
    if case .pipe(let path) = settings.target.place {
      // Files that only describe a part cannot follow it in a pipe.
      if case .part(_, "hvcc") = role { return nil }
      if path == "-", let file = item.file, file.isRegular,
        FileIdentity.standardOutput?.isSameFile(as: file) == true
      {
        throw MediaError(input: "standard output")
      }
      return try SpooledDestination(path, for: .pipe)
    }
    let path = settings.target.path(role, of: item)
    if role != .primary {
      switch source.claim(path, for: item) {
      case .first: break
      case .again: return nil
      case .taken where settings.onExists == .rename: break
      case .taken: throw MediaError(taken: path)
      case .input: throw MediaError(input: path)
      case .similar:
        let existing = OutputClaims.file(similarTo: path) ?? path
        guard settings.onExists == .skip else { throw MediaError(existing, isSimilarTo: path) }
        return FileDestination(keeping: existing)
      }
    }
    let isVideo = if case .video = role { true } else { false }
    let video = isVideo ? found.video.withLock { $0 } : nil
    let origin = video?.file ?? item.file
    // An output that an earlier attempt finished is written again.
    let own = item.made[path]
    if settings.target.isTemplate { try OutputFolder.make(for: own ?? path) }
    let output = try FileDestination(
      own ?? path, from: origin, onExists: own == nil ? settings.onExists : .replace)
    guard output.existing == nil else { return output }
    output.limitAccess(like: video?.path ?? item.name.path)
    if !role.isPart { output.attributes = FileAttributes(of: video?.path ?? item.name.path) }
    switch settings.time {
    case .keep: break
    case .exif where !isVideo:
      if let times = settings.origin(of: item.name)?.times { output.times = times }
    case .exif: break
    case .now: output.times = nil
    }
    if own == nil, !isVideo { try checkReplacement(of: path, by: output) }
    output.willCommit = { file in source.note(.finished(path, file), of: item) }
    return output
  }

  /// Refuses to replace an output of another photo, which may have been removed: outputs have the times of their photos.
  private func checkReplacement(of path: String, by output: FileDestination) throws {
    guard settings.removal != nil, settings.onExists == .replace,
      let existing = FileIdentity(path), existing.isRegular
    else { return }
    if let new = output.times?.modificationNanoseconds {
      // Some file systems count in steps of two seconds.
      let difference = existing.times.modificationNanoseconds &- new
      if (-2_000_000_000...2_000_000_000).contains(difference) { return }
    }
    throw MediaError(
      .misuse,
      "\(path) exists, and its time differs from this photo's, so it may belong to a photo that was removed; "
        + "a run that removes photos does not replace it", remedy: .otherName)
  }

  // MARK: Other work

  /// Does a job on a file that is not a photo, and reports on it.
  private func report(
    of job: any FileJob, _ item: BatchItem, in source: any BatchSource,
    _ isStopped: @escaping @Sendable () -> Bool
  ) -> PhotoReport {
    let start = SuspendingClock.now
    let path = settings.target.path(.primary, of: item)
    var report = PhotoReport(input: item.name.path)
    report.bytesIn = item.file?.size ?? 0
    // An unfinished file that another process left there is not ours to delete.
    let part = job.unfinishedPath(of: path)
    let isPartOthers = FileSystem.exists(part)
    if !isPartOthers { source.note(.begun(part), of: item) }
    do {
      if let file = item.file, settings.onExists == .replace, let old = FileIdentity(path),
        old.isSameFile(as: file)
      {
        throw MediaError(.misuse, "\(path) is the video itself, which is never overwritten")
      }
      try write(job, item, to: path, in: source, &report, isStopped)
    } catch {
      report.failure = MediaError(error)
    }
    if report.failure != nil, !isPartOthers { removeFile(part) }
    report.seconds = (SuspendingClock.now - start) / .seconds(1)
    return report
  }

  private func write(
    _ job: any FileJob, _ item: BatchItem, to path: String, in source: any BatchSource,
    _ report: inout PhotoReport, _ isStopped: @escaping @Sendable () -> Bool
  ) throws {
    let own = item.made[path]
    let onExists = own == nil ? settings.onExists : .replace
    let path = own ?? path
    let isThere = onExists == .skip && FileSystem.exists(path)
    if settings.target.isTemplate { try OutputFolder.make(for: path) }
    let written =
      isThere
      ? nil
      : try job.write(
        item.name.opened(settings.options.boxLimits), to: path, onExists: onExists,
        isStopped: isStopped)
    guard let written else {
      report.existing = [path]
      report.status = .skipped
      return
    }
    source.note(.made(path, as: written.path), of: item)
    report.status = .converted
    report.outputs = [
      PhotoReport.Output(
        path: written.path, role: .primary, width: 0, height: 0, bytes: written.bytes)
    ]
    report.warnings = (item.decision?.warnings ?? []) + written.warnings
    FileAttributes(of: item.name.path).give(to: written.path)
    if let times = item.file?.times, try !times.give(to: written.path) {
      report.warnings.append(FileDestination.lostTimes(written.path))
    }
  }
}

/// The video of an item, once it was looked for: its file has the times and attributes of the video.
private final class FoundVideo: Sendable {
  let video = Mutex<LiveVideo?>(nil)
}
