// SPDX-License-Identifier: MIT

import Bytes
import Files
import Media
import Stills

/// Opens photos and begins their outputs, as the settings say.
final class ConvertOutputs: Sendable {
  private let settings: ConvertSettings
  let ledger: any OutputLedger
  private let videos = LiveVideos()

  init(_ settings: ConvertSettings, _ ledger: (any OutputLedger)? = nil) {
    self.settings = settings
    self.ledger = ledger ?? OwnLedger(settings)
  }

  /// What the engine is asked to make of a photo.
  func request(for item: ConvertItem) -> PhotoRequest {
    var request = PhotoRequest(
      name: item.name.path,
      open: { [settings] in try Self.open(item, settings.options.boxLimits) },
      output: { role in try self.output(role, of: item) })
    request.isCopied = item.isCopied
    if settings.describesSource, let file = item.file, file.isRegular {
      request.texts = ThumbnailFacts(path: item.name.path, file: file).texts
    }
    request.warnings = item.decision?.warnings ?? []
    switch settings.target.place {
    case .pipe: request.takesOne = true
    case .file: (request.takesOne, request.depthDocument) = (true, { DepthJSON().bytes($0) })
    case .beside, .folder: request.depthDocument = { DepthJSON().bytes($0) }
    }
    if settings.options.live != nil, item.name.path != "-" {
      request.video = { identifier in try self.video(of: item, identifier) }
    }
    return request
  }

  /// The same, only that nothing is written: what is made is compared with the files that are there.
  func comparison(for item: ConvertItem) -> PhotoRequest {
    var request = request(for: item)
    request.output = { [settings] role in
      try SpooledDestination(
        settings.target.path(role, of: item.name, extension: item.pathExtension), for: .comparison)
    }
    return request
  }

  /// The photo that a movie goes with, so that it is none of the photos of a run.
  func photo(of movie: InputName) -> String? {
    settings.options.live == nil ? nil : videos.photo(of: movie.path)
  }

  private func video(of item: ConvertItem, _ identifier: String?) throws
    -> LiveVideo?
  {
    guard var video = try videos.video(of: item.name.path, identifier: identifier) else {
      return nil
    }
    if settings.options.live == .keep, let file = video.file {
      let path = settings.target.path(.video(extension: video.pathExtension), of: item.name)
      video.isInPlace = FileIdentity(path).map { $0.isSameFile(as: file) } ?? false
    }
    item.video = video
    return video
  }

  /// Why a photo is not started: its output is that of another photo of this run. Asked in the order of the
  /// photos, so that the first has the name whatever the number of workers.
  func refusal(of item: ConvertItem) -> PhotoReport? {
    if case .pipe = settings.target.place { return nil }
    // What is taken out of a photo is not known before it is opened.
    if settings.options.parts != nil { return nil }
    let path = settings.target.path(.primary, of: item.name, extension: item.pathExtension)
    var report = PhotoReport(input: item.name.path)
    switch claim(path, item) {
    case .first: return nil
    case .again: report.status = .skipped
    case .taken:
      if settings.onExists == .rename { return nil }
      report.failure = MediaError(.misuse, taken(path))
    case .input:
      report.failure = MediaError(.misuse, input(path))
    }
    return report
  }

  private static func open(_ item: ConvertItem, _ limits: Limits) throws
    -> any ByteSource
  {
    do throws(FileError) {
      return try item.name.opened(limits)
    } catch {
      throw MediaError(.io, "cannot be opened: \(error.reason)")
    }
  }

  private func output(_ role: PictureRole, of item: ConvertItem) throws
    -> (any PhotoOutput)?
  {
    guard item.file != nil else {
      throw MediaError(.io, "cannot be opened: \(FileError("open", "", code: 2).reason)")
    }
    if case .pipe(let path) = settings.target.place {
      // What only says more of a part has no place after it.
      if case .part(_, "hvcc") = role { return nil }
      return try SpooledDestination(path, for: .pipe)
    }
    let path = settings.target.path(role, of: item.name, extension: item.pathExtension)
    if role != .primary {
      switch claim(path, item) {
      case .first: break
      case .again: return nil
      case .taken where settings.onExists == .rename: break
      case .taken: throw MediaError(.misuse, taken(path))
      case .input: throw MediaError(.misuse, input(path))
      }
    }
    let isVideo = if case .video = role { true } else { false }
    let source = isVideo ? item.video?.file ?? item.file : item.file
    let own = item.made[path]
    let output = try FileDestination(
      own ?? path, from: source, onExists: own == nil ? settings.onExists : .replace)
    if output == nil { item.skip(path) }
    switch settings.time {
    case .keep: break
    case .exif where !isVideo:
      if let times = settings.origin(of: item.name)?.times { output?.times = times }
    case .exif: break
    case .now: output?.times = nil
    }
    output?.didYield = { item.skip(path) }
    output?.willCommit = { [ledger] file in ledger.finished(path, file, of: item.name.path) }
    return output
  }

  private func claim(_ path: String, _ item: ConvertItem) -> OutputClaims.Claim {
    ledger.claim(path, for: item.name.path)
  }

  private func taken(_ path: String) -> String {
    "\(path) is the output of another photo of this run; --name or --on-exists rename tells them apart"
  }

  private func input(_ path: String) -> String {
    InputFiles.refusal(of: path).description
  }
}
