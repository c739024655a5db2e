// SPDX-License-Identifier: MIT

import Bytes
import Files
import Media
import Stills

/// What `--dry-run` of `convert` and `thumbnail` prints: what would become of each photo, and of its file where
/// `--remove-source` stands.
struct ConvertDryRun {
  private let settings: ConvertSettings
  private let videos = LiveVideos()

  init(_ settings: ConvertSettings) { self.settings = settings }

  /// What would become of one photo.
  private struct Plan {
    var action: String
    var outputs: [String] = []
    /// Those of the outputs that are there already.
    var existing: [String] = []
    var removal: SourceRemoval?
    /// What would be warned of, as far as it is known before anything is decoded.
    var warnings: [String] = []
    /// Why the photo would count as failed although its picture would be written.
    var failure: MediaError?
  }

  func print(on console: Console) throws -> ExitStatus {
    let output = ResultStream(console: console)
    var (shown, hasFailed) = (0, false)
    var names = InputNames(settings.inputs, except: settings.target.folder)
    let ledger = OwnLedger(settings)
    while true {
      do throws(FileError) {
        guard var name = try names.next() else { break }
        guard !name.isFound || settings.kinds.contains(name.path) else { continue }
        if settings.options.live != nil, !name.isFound, let photo = videos.photo(of: name.path) {
          console.detail("\(name.path): goes with \(photo)")
          continue
        }
        shown += 1
        name = settings.named(name, number: shown)
        guard let plan = try plan(for: name, ledger, console) else { continue }
        write(plan, name, on: console)
        hasFailed = hasFailed || plan.failure != nil
      } catch {
        console.fail(error.description)
      }
      try output.check()
    }
    if hasFailed { return .failed }
    return shown > 0 ? .done : .nothingToDo
  }

  /// `nil` for what would fail, which is reported.
  private func plan(for name: InputName, _ ledger: OwnLedger, _ console: Console)
    throws(FileError) -> Plan?
  {
    let path = settings.target.path(.primary, of: name)
    let source = try name.opened(settings.options.boxLimits)
    switch ledger.claim(path, for: name.path) {
    case .first: break
    case .again: return decided(Plan(action: "skip", existing: []), name, [.notConverted(.skipped)])
    case .taken where settings.onExists == .rename: break
    case .taken:
      console.fail("\(name.path): \(path) is the output of another photo of this run")
      return nil
    case .input:
      console.fail("\(name.path): \(InputFiles.refusal(of: path))")
      return nil
    }
    let preview: PhotoPreview
    var plan = Plan(action: settings.options.thumbnail == nil ? "convert" : "make")
    do throws(PhotoPreview.Failed) {
      preview = try PhotoPreview(source, options: settings.options)
      plan.warnings = preview.warnings
      plan.outputs = preview.pictures.indices.map { index in
        settings.target.path(index == 0 ? .primary : .other(index + 1), of: name)
      }
      try add(video: name, preview, to: &plan)
    } catch {
      error.tell(of: name.path, console)
      return nil
    }
    if preview.isCopied { plan.action = "copy" }
    if settings.onExists == .rename {
      plan.outputs = plan.outputs.map { FileOutput.freeName(for: $0) }
    }
    plan.existing = plan.outputs.filter { FileIdentity($0)?.isRegular == true }
    var reasons: [SourceRemoval.Reason] = preview.losses.map { .holds($0) }
    if plan.failure != nil { reasons.append(.notConverted(.failed)) }
    // What a copy is warned of is in the copy, too.
    if !plan.warnings.isEmpty, !preview.isCopied { reasons.append(.warned(plan.warnings.count)) }
    if settings.onExists == .skip {
      reasons = plan.existing.map { .outputExisted($0) } + (plan.existing.isEmpty ? reasons : [])
      if plan.existing.count == plan.outputs.count { plan.action = "skip" }
    }
    return decided(plan, name, reasons)
  }

  private func decided(_ plan: Plan, _ name: InputName, _ reasons: [SourceRemoval.Reason]) -> Plan {
    guard let choice = settings.removal else { return plan }
    var plan = plan
    let file = SourceFile(name.path, FileIdentity(name.path))
    plan.removal = SourceRemoval(choice, reasons + file.reasonsToKeep)
    return plan
  }

  /// The video of a Live Photo, where there is one, and what would be said of it.
  private func add(video name: InputName, _ preview: PhotoPreview, to plan: inout Plan)
    throws(PhotoPreview.Failed)
  {
    guard settings.options.live != nil, name.path != "-" else { return }
    guard let video = try preview.video(of: name.path, in: videos) else { return }
    if let failure = video.failure(settings.options) {
      guard settings.options.live == .keep else {
        throw PhotoPreview.Failed(failure: failure, warnings: preview.warnings)
      }
      plan.failure = failure
      return
    }
    plan.warnings += video.warnings
    guard settings.options.live == .keep else { return }
    let path = settings.target.path(.video(extension: video.pathExtension), of: name)
    let isInPlace =
      video.file.flatMap { file in FileIdentity(path).map { $0.isSameFile(as: file) } } ?? false
    if !isInPlace { plan.outputs.append(path) }
  }

  private func write(_ plan: Plan, _ name: InputName, on console: Console) {
    let output = ResultStream(console: console)
    guard !settings.batch.json else {
      var json = JSONWriter(output)
      write(plan, name, to: &json)
      return json.endDocument()
    }
    for warning in plan.warnings { console.warn("\(name.path): \(warning)") }
    if let failure = plan.failure { console.fail(name.path, failure) }
    let left = settings.onExists == .skip ? plan.existing : []
    let made = plan.outputs.filter { !left.contains($0) }
    var text =
      made.isEmpty ? name.path : "\(plan.action) \(name.path) → \(made.joined(separator: ", "))"
    if plan.action == "skip" {
      text +=
        ": skip: "
        + (left.isEmpty ? "came twice" : left.map { "\($0) exists" }.joined(separator: ", "))
    } else {
      text += left.map { "; skip: \($0) exists" }.joined()
      if settings.onExists == .replace { text += plan.existing.map { "; replace \($0)" }.joined() }
    }
    if let removal = plan.removal {
      text += "; " + (removal.isRemoved ? removal.plan(of: name.path) : removal.plan)
    }
    output.write(text.printable + "\n")
  }

  private func write<Output: TextOutputStream>(
    _ plan: Plan, _ name: InputName, to json: inout JSONWriter<Output>
  ) {
    json.object { json in
      json.field("input", name.path)
      json.field("action", plan.action)
      json.key("error")
      if let failure = plan.failure {
        ConvertJSON().write(failure, to: &json)
      } else {
        json.null()
      }
      json.key("outputs")
      json.array { json in for output in plan.outputs { json.value(output) } }
      json.key("existing")
      json.array { json in for output in plan.existing { json.value(output) } }
      json.key("warnings")
      json.array { json in for warning in plan.warnings { json.value(warning) } }
      if let removal = plan.removal { ConvertJSON().write(removal, to: &json) }
    }
  }
}

extension PhotoPreview.Failed {
  /// Prints warnings and the failure as the run would.
  func tell(of photo: String, _ console: Console) {
    for warning in warnings { console.warn("\(photo): \(warning)") }
    console.fail(photo, failure)
  }
}
