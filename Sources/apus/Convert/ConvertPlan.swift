// SPDX-License-Identifier: MIT

import Bytes
import Files
import HEIF
import ISOBMFF
import Media
import Stills

/// What `apus convert --plan` prints: what would be decoded and how it would be composed.
struct ConvertPlan {
  private let inputs: InputOptions
  private let settings: ConvertSettings
  private let isJSON: Bool

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
    let source = try name.path == "-" ? standardInput() : openInput(name.path)
    do throws(SyntaxError) {
      let kind = try FileKind(of: source)
      guard kind == .isoBMFF else {
        return console.fail("\(name.path): is \(kind.description), not a HEIF photo")
      }
      let tree = try BoxTree(reading: source, limits: settings.options.boxLimits)
      let file = PhotoFile(tree, limits: settings.options.limits)
      for (index, picture) in try pictures(of: file).enumerated() {
        let title = index == 0 ? name.path : "\(name.path), picture \(index + 1)"
        try write(
          file.plan(picture), file.metadata(of: picture), gainMap(of: picture, in: file), title,
          isFirst: shown == 0, on: console)
        shown += 1
      }
    } catch {
      console.fail("\(name.path): \(error)")
    }
  }

  /// The plan of the map as it is stored; one that cannot be planned is left out of the conversion too.
  private func gainMap(of picture: PhotoPicture, in file: PhotoFile) -> PicturePlan? {
    guard settings.options.hdr == .keep || settings.options.hdr == .apply else { return nil }
    do throws(SyntaxError) {
      return try file.gainMap(of: picture).map { map throws(SyntaxError) in try file.plan(map.map) }
    } catch {
      return nil
    }
  }

  private func pictures(of file: PhotoFile) throws(SyntaxError) -> [PhotoPicture] {
    if let frame = settings.options.frame { return [try file.frame(frame)] }
    return settings.options.images == .all ? file.pictures : [try file.primaryPicture()]
  }

  private func write(
    _ plan: PicturePlan, _ metadata: PictureMetadata, _ gainMap: PicturePlan?, _ title: String,
    isFirst: Bool, on console: Console
  ) {
    var output = ResultStream(console: console)
    let decoders = settings.options.decoder.uses(for: plan)
    guard !isJSON else {
      var json = JSONWriter(output)
      PlanJSON().write(plan, metadata, decoders, gainMap: gainMap, picture: title, to: &json)
      return json.endDocument()
    }
    if !isFirst { output.write("\n") }
    PlanText(palette: Palette(console))
      .write(plan, metadata, decoders, gainMap: gainMap, picture: title, to: &output)
  }
}
