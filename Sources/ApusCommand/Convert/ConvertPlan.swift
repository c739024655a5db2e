// SPDX-License-Identifier: MIT

import Bytes
import Files
import HEIF
import Media
import Stills

/// The output of `apus convert --plan`: what would be decoded and how it would be assembled.
struct ConvertPlan {
  private let settings: BatchSettings
  private let isJSON: Bool
  private let videos = LiveVideos()

  init(_ settings: ConvertSettings) {
    isJSON = settings.isJSON
    self.settings = settings.batch
  }

  func print(on console: Console) throws -> ExitStatus {
    let output = ResultStream(console: console)
    var shown = 0
    var names = InputNames(settings.inputs, except: settings.target.folder)
    while true {
      do throws(FileError) {
        guard let name = try names.next() else { break }
        if !name.isFound || settings.kinds.contains(name.path) {
          try print(name, &shown, on: console)
        }
      } catch {
        console.fail(error.description)
      }
      try output.check()
    }
    return shown > 0 ? .done : .nothingToDo
  }

  private func print(_ name: InputName, _ shown: inout Int, on console: Console)
    throws(FileError)
  {
    if settings.options.live != nil, !name.isFound, let photo = videos.photo(of: name.path) {
      return console.detail("\(name.path): is the video of \(photo)")
    }
    let source = try name.opened(settings.options.boxLimits)
    let preview: PhotoPreview
    let video: LiveVideo?
    do throws(PhotoPreview.Failed) {
      preview = try PhotoPreview(source, options: settings.options)
      video = try self.video(of: name, preview)
    } catch {
      return error.tell(of: name.path, console)
    }
    let warnings = preview.warnings + (video?.warnings ?? [])
    let removal = settings.removal.map { choice in
      var reasons: [SourceRemoval.Reason] = preview.losses.map { .holds($0) }
      if video?.failure(settings.options) != nil { reasons.append(.notConverted(.failed)) }
      if !warnings.isEmpty, !preview.isCopied { reasons.append(.warned(warnings.count)) }
      let file = SourceFile(name.path, FileIdentity(name.path))
      return SourceRemoval(choice, reasons + file.reasonsToKeep)
    }
    if let failure = video?.failure(settings.options) { console.fail(name.path, failure) }
    let facts = FileFacts(
      live: video.flatMap { outcome($0, of: name) }, removal: removal, findings: preview.findings)
    for (index, picture) in preview.pictures.enumerated() {
      let title = index == 0 ? name.path : "\(name.path), picture \(index + 1)"
      let file = index == 0 ? facts : FileFacts()
      write(picture, title, file, isCopied: preview.isCopied, isFirst: shown == 0, on: console)
      shown += 1
    }
  }

  /// The facts of a file other than its pictures, printed with the first of them.
  private struct FileFacts {
    var live: PhotoReport.Live?
    var removal: SourceRemoval?
    var findings: [Finding] = []
  }

  /// The video of a Live Photo.
  private func video(of name: InputName, _ preview: PhotoPreview) throws(PhotoPreview.Failed)
    -> LiveVideo?
  {
    guard settings.options.live != nil, name.path != "-" else { return nil }
    return try preview.video(of: name.path, in: videos)
  }

  /// The planned output for the video of a Live Photo.
  private func outcome(_ video: LiveVideo, of name: InputName) -> PhotoReport.Live? {
    guard let choice = settings.options.live else { return nil }
    let path = settings.target.path(.video(extension: video.pathExtension), of: name)
    let isWritten = video.failure(settings.options) == nil
    return PhotoReport.Live(
      video: video.path, bytes: video.extent.count, basis: video.basis,
      outcome: isWritten ? choice.outcome : .dropped,
      output: choice == .keep && isWritten ? path : nil)
  }

  private func write(
    _ picture: PhotoPreview.PlannedPicture, _ title: String, _ file: FileFacts, isCopied: Bool,
    isFirst: Bool, on console: Console
  ) {
    var output = ResultStream(console: console)
    let decoders = isCopied ? [] : settings.options.decoder.uses(for: picture.plan)
    let findings = file.findings + picture.plan.findings + picture.metadata.findings
    guard !isJSON else {
      var json = JSONWriter(output)
      PlanJSON(isCopied: isCopied, live: file.live, removal: file.removal, findings: findings)
        .write(
          picture.plan, picture.metadata, decoders, gainMap: picture.gainMap,
          encoder: picture.encoder, picture: title, to: &json)
      return json.endDocument()
    }
    if !isFirst { output.write("\n") }
    PlanText(
      palette: Palette(console), isCopied: isCopied, live: file.live, removal: file.removal,
      findings: findings
    )
    .write(
      picture.plan, picture.metadata, decoders, gainMap: picture.gainMap,
      encoder: picture.encoder, picture: title, to: &output)
  }
}

extension LiveChoice {
  fileprivate var outcome: PhotoReport.Live.Outcome {
    switch self {
    case .keep: .kept
    case .motionPhoto: .appended
    case .drop: .dropped
    }
  }
}
