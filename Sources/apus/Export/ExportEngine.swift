// SPDX-License-Identifier: MIT

import Bytes
import Containers
import Files
import Flow
import Foreign
import Media
import Stills
import Synchronization
import Transcode

/// The engine of photos, with videos coded between them: one at a time, by whichever worker comes to it, for an
/// encoder has threads of its own. Where photos are decoded in processes of their own no video is coded, and what is
/// copied is copied here.
final class ExportEngine: ConvertEngine {
  private let photos: any ConvertEngine
  /// The engine that copies files in a run whose photos are decoded elsewhere.
  private let copier: PhotoEngine?
  private let outputs: ConvertOutputs
  private let target: ConvertTarget
  private let onExists: OnExists
  private let limits: Limits
  private let isStopping = Atomic(false)

  /// - Parameters:
  ///   - photos: what converts photos.
  ///   - copier: what copies files, where that engine does it in confined processes, which code no video either.
  init(
    _ settings: ConvertSettings, _ outputs: ConvertOutputs, photos: any ConvertEngine,
    copier: PhotoEngine?
  ) {
    self.photos = photos
    self.copier = copier
    self.outputs = outputs
    target = settings.target
    onExists = settings.onExists
    limits = settings.options.boxLimits
  }

  func run(
    next: @escaping @Sendable () -> ConvertItem?,
    report: @escaping @Sendable (PhotoReport, [String]) -> Void
  ) {
    photos.run(
      next: { [self] in
        while let item = next() {
          switch item.decision?.action {
          case .copy:
            guard let copier else { return item }
            report(copier.report(of: outputs.request(for: item)), item.skipped)
          case nil, .convert: return item
          case .refuse:
            report(refusal(of: item, "is not taken: \(item.decision?.refusal ?? "")"), [])
          case .transcode where copier != nil:
            report(refusal(of: item, "is coded anew only without --isolate"), [])
          case .transcode(let settings):
            let made = transcode(item, settings)
            let isAbandoned = isStopping.load(ordering: .sequentiallyConsistent)
            if !isAbandoned || made.status != .failed { report(made, item.skipped) }
          }
        }
        return nil
      }, report: report)
  }

  func stop() {
    isStopping.store(true, ordering: .sequentiallyConsistent)
    photos.stop()
  }

  private func refusal(of item: ConvertItem, _ message: String) -> PhotoReport {
    var report = PhotoReport(input: item.name.path)
    report.failure = MediaError(.unsupported, of: .input, message)
    return report
  }

  private func transcode(_ item: ConvertItem, _ settings: TranscodeSettings) -> PhotoReport {
    let start = monotonicSeconds()
    let path = target.path(.primary, of: item.name, extension: item.pathExtension)
    var report = PhotoReport(input: item.name.path)
    report.bytesIn = item.file?.size ?? 0
    // A movie that is being written; what another process left there is not ours.
    let part = path + ".part"
    let isPartOthers = FileSystem.exists(part)
    if !isPartOthers { outputs.ledger.begun(part, of: item.name.path) }
    do {
      if let file = item.file, onExists == .replace, let old = FileIdentity(path),
        old.isSameFile(as: file)
      {
        throw MediaError(.misuse, "\(path) is the video itself, which is never overwritten")
      }
      try write(item, settings, to: path, &report)
    } catch {
      report.failure = MediaError(error)
    }
    if report.failure != nil, !isPartOthers { removeFile(part) }
    report.seconds = monotonicSeconds() - start
    return report
  }

  private func write(
    _ item: ConvertItem, _ settings: TranscodeSettings, to path: String,
    _ report: inout PhotoReport
  ) throws {
    // One that an earlier attempt finished is written again.
    let own = item.made[path]
    let onExists = own == nil ? onExists : .replace
    let path = own ?? path
    if onExists == .skip, FileSystem.exists(path) {
      item.skip(path)
      report.status = .skipped
      return
    }
    var opening = MediaInput.Options()
    opening.limits = limits
    opening.openers = [ForeignOpener()]
    let media = try MediaInput.open(try item.name.opened(limits), options: opening)
    var options = TranscodeJob.Options(.mp4)
    options.settings = settings
    // A movie that ends early must not stand under its name as if it were whole.
    options.step = { [self] frame throws(MediaError) in
      guard !isStopping.load(ordering: .sequentiallyConsistent) else {
        throw MediaError(.misuse, "was stopped")
      }
      return frame
    }
    let job = try TranscodeJob(media, options: options)
    guard let written = try job.write(to: path, onExists: onExists) else {
      item.skip(path)
      report.status = .skipped
      return
    }
    outputs.ledger.made(path, as: written.path, of: item.name.path)
    report.status = .converted
    report.outputs = [
      PhotoReport.Output(
        path: written.path, role: .primary, width: 0, height: 0, bytes: written.count)
    ]
    report.warnings = (item.decision?.warnings ?? []) + media.warnings
    report.warnings += written.report.output.warnings
    report.warnings += written.report.output.leftOut.map {
      "\($0.name) \($0.reason) and is left out"
    }
    if let times = item.file?.times { try times.give(to: written.path) }
  }
}

extension ExportPlanner {
  func engine(
    _ settings: ConvertSettings, _ outputs: ConvertOutputs, photos: any ConvertEngine,
    copier: PhotoEngine?
  ) -> any ConvertEngine {
    ExportEngine(settings, outputs, photos: photos, copier: copier)
  }
}
