// SPDX-License-Identifier: MIT

import Bytes
import Files
import Media
import Stills

/// What `apus convert --plan` prints: what would be decoded and how it would be composed.
struct ConvertPlan {
  private let inputs: InputOptions
  private let settings: ConvertSettings
  private let isJSON: Bool
  private let videos = LiveVideos()

  init(_ verb: Convert, _ settings: ConvertSettings) {
    inputs = verb.inputs
    isJSON = verb.batch.json
    self.settings = settings
  }

  func print(on console: Console) throws -> ExitStatus {
    let output = ResultStream(console: console)
    var shown = 0
    var names = InputNames(inputs)
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
      return console.detail("\(name.path): goes with \(photo)")
    }
    let source = try name.path == "-" ? standardInput() : openInput(name.path)
    let preview: PhotoPreview
    let live: PhotoReport.Live?
    do throws(PhotoReport.Failure) {
      preview = try PhotoPreview(source, options: settings.options)
      live = try video(of: name, preview)
    } catch {
      return console.fail("\(name.path): \(error.message)")
    }
    for (index, picture) in preview.pictures.enumerated() {
      let title = index == 0 ? name.path : "\(name.path), picture \(index + 1)"
      write(
        picture, title, isCopied: preview.isCopied, index == 0 ? live : nil, isFirst: shown == 0,
        on: console)
      shown += 1
    }
  }

  /// The video of a Live Photo, and what would become of it.
  private func video(of name: InputName, _ preview: PhotoPreview) throws(PhotoReport.Failure)
    -> PhotoReport.Live?
  {
    guard let choice = settings.options.live, name.path != "-" else { return nil }
    do throws(PictureError) {
      guard let video = try preview.video(of: name.path, in: videos) else { return nil }
      let path = settings.target.path(.video(extension: video.pathExtension), of: name)
      return PhotoReport.Live(
        video: video.path, bytes: video.extent.count, basis: video.basis, outcome: choice.outcome,
        output: choice == .keep ? path : nil)
    } catch {
      throw PhotoReport.Failure(kind: error.kind.rawValue, message: error.message)
    }
  }

  private func write(
    _ picture: PhotoPreview.Picture, _ title: String, isCopied: Bool, _ live: PhotoReport.Live?,
    isFirst: Bool, on console: Console
  ) {
    var output = ResultStream(console: console)
    let decoders = isCopied ? [] : settings.options.decoder.uses(for: picture.plan)
    guard !isJSON else {
      var json = JSONWriter(output)
      PlanJSON(isCopied: isCopied, live: live)
        .write(
          picture.plan, picture.metadata, decoders, gainMap: picture.gainMap, picture: title,
          to: &json)
      return json.endDocument()
    }
    if !isFirst { output.write("\n") }
    PlanText(palette: Palette(console), isCopied: isCopied, live: live)
      .write(
        picture.plan, picture.metadata, decoders, gainMap: picture.gainMap, picture: title,
        to: &output)
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
