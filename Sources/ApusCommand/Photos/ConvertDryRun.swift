// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusMedia
import ApusStills

/// The output of `--dry-run` of `convert` and `thumbnail`: the planned result of each photo, with `--remove-source` also of its
/// file, and with `--verbose` how each picture would be decoded and assembled.
struct ConvertDryRun {
  private let settings: ConvertSettings

  init(_ settings: ConvertSettings) { self.settings = settings }

  func print(on console: Console) throws -> ExitStatus {
    let output = ResultStream(console: console)
    var (shown, hasFailed) = (0, false)
    var preview = BatchPreview(settings.batch)
    while true {
      do throws(FileError) {
        guard let outlook = try preview.next() else { break }
        switch outlook {
        case .companion(let movie, let photo):
          console.detail("\(movie): is the video of \(photo)")
          continue
        case .planned(let plan):
          write(plan, on: console)
          hasFailed = hasFailed || plan.failure != nil
        case .failed(let input, let error, let warnings):
          console.fail(input, error, after: warnings)
        }
        shown += 1
      } catch {
        console.fail(error.description)
      }
      try output.check()
    }
    if hasFailed { return .failed }
    return shown > 0 ? .done : .nothingToDo
  }

  private func write(_ plan: PlannedFile, on console: Console) {
    let output = ResultStream(console: console)
    guard !settings.isJSON else {
      var line = DryRunLine(plan: plan)
      if showsPictures(console) {
        line.pictures = plan.pictures.map {
          PictureLine(picture: $0, decoders: decoders(of: $0, plan))
        }
      }
      return output.write(json: line)
    }
    if let failure = plan.failure {
      console.fail(plan.input, failure, after: plan.warnings)
    } else {
      for warning in plan.warnings { console.warn("\(plan.input): \(warning)") }
    }
    output.write(text(plan).printable + "\n")
    if showsPictures(console) { writePictures(of: plan, on: console) }
  }

  /// Returns whether to show how each picture would be decoded, which is not what a small picture depends on.
  private func showsPictures(_ console: Console) -> Bool {
    console.verbose && settings.batch.options.job.thumbnail == nil
  }

  private func writePictures(of plan: PlannedFile, on console: Console) {
    var output = ResultStream(console: console)
    for (index, picture) in plan.pictures.enumerated() {
      var text = PlanText(palette: Palette(console), isCopied: plan.action == .copy)
      text.findings = picture.findings
      if index == 0 {
        text.findings = plan.findings + text.findings
        text.live = plan.live
      } else {
        output.write("\npicture \(index + 1)\n")
      }
      text.write(picture, decoders(of: picture, plan), to: &output)
    }
    output.write("\n")
  }

  private func decoders(of picture: PhotoPreview.PlannedPicture, _ plan: PlannedFile) -> [CodecUse]
  {
    plan.action == .copy ? [] : settings.batch.options.decoder.uses(for: picture.plan)
  }

  private func text(_ plan: PlannedFile) -> String {
    let onExists = settings.batch.onExists
    let left = onExists == .skip ? plan.existing : []
    let made = plan.outputs.filter { !left.contains($0) }
    var text =
      made.isEmpty
      ? plan.input : "\(plan.action.rawValue) \(plan.input) → \(made.joined(separator: ", "))"
    if plan.action == .skip {
      text +=
        ": skip: "
        + (left.isEmpty ? "listed twice" : left.map { "\($0) exists" }.joined(separator: ", "))
    } else {
      text += left.map { "; skip: \($0) exists" }.joined()
      if onExists == .replace { text += plan.existing.map { "; replace \($0)" }.joined() }
    }
    if let removal = plan.removal {
      text += "; " + (removal.isRemoved ? removal.plan(of: plan.input) : removal.plan)
    }
    return text
  }
}

extension PhotoPreview.Failed {
  /// Prints the failure as the run would.
  func tell(of photo: String, _ console: Console) {
    console.fail(photo, failure, after: warnings)
  }
}
