// SPDX-License-Identifier: MIT

import ApusBytes
public import ApusFacts
import ApusFiles
public import ApusStills

/// The output of `apus export --dry-run`: what would be done with each file, and why.
struct ExportPlanList {
  private let settings: ConvertSettings
  private let planner: any FilePlanner

  init(_ settings: ConvertSettings, _ planner: any FilePlanner) {
    self.settings = settings
    self.planner = planner
  }

  func print(on console: Console) throws -> ExitStatus {
    let output = ResultStream(console: console)
    var shown = 0
    var names = InputNames(settings.batch.inputs, except: settings.batch.target.folder)
    while true {
      do throws(FileError) {
        guard let name = try names.next() else { break }
        guard FileSystem.exists(name.path) else {
          throw FileError("open", name.path, reason: "there is no such file")
        }
        shown += 1
        let decision = planner.decision(on: name)
        guard let warnings = warnings(decision, name, console) else { continue }
        show(decision, name, warnings, on: console)
      } catch {
        console.fail(error.description)
      }
      try output.check()
    }
    return shown > 0 ? .done : .nothingToDo
  }

  /// Returns the warnings of a conversion; `nil` for a picture that would fail, which is reported.
  private func warnings(_ decision: FileDecision, _ name: InputName, _ console: Console)
    -> [String]?
  {
    guard case .convert = decision.action else { return [] }
    do {
      return try PhotoPreview(
        name.opened(settings.batch.options.boxLimits), options: settings.batch.options
      )
      .warnings
    } catch let error as PhotoPreview.Failed {
      error.tell(of: name.path, console)
    } catch {
      console.fail("\(error)")
    }
    return nil
  }

  private func show(
    _ decision: FileDecision, _ name: InputName, _ warnings: [String], on console: Console
  ) {
    let target = settings.batch.target.path(.primary, of: name, extension: decision.pathExtension)
    var path: String? = target
    if case .refuse = decision.action { path = nil }
    let output = ResultStream(console: console)
    guard !settings.isJSON else {
      return output.write(
        json: ExportPlan(name: name, decision: decision, path: path, warnings: warnings))
    }
    for warning in warnings { console.warn("\(name.path): \(warning)") }
    let remarks = decision.reasons + decision.warnings
    let why = remarks.isEmpty ? "" : " (\(remarks.joined(separator: "; ")))"
    let text = "\(decision.action.name) \(name.path)\(path.map { " → \($0)" } ?? "")\(why)"
    output.write(text.printable + "\n")
  }
}

/// The plan for one file.
struct ExportPlan: Described {
  let name: InputName
  let decision: FileDecision
  /// The path of the output.
  let path: String?
  let warnings: [String]

  static let title = "plan"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == ExportPlan {
    v.required("input", "The path as given or found.") { $0.name.path }
    v.required(
      "action",
      """
      copy: the bytes are copied. convert: a picture becomes a JPEG. transcode: a video is re-encoded. remux: it is \
      put into another container. refuse: it cannot be converted to an accepted format.
      """
    ) { ActionWord(rawValue: $0.decision.action.name) }
    v.required(
      "kind",
      "The kind of file, such as heic, or mov with hevc and aac; \"anything\" if it does not matter."
    ) { $0.decision.kind }
    v.required("output", "The path of the output; null if there is none.") { $0.path }
    v.required("reasons", "The reasons why it is not copied.") { $0.decision.reasons }
    v.required("losses", "The data that the output would lack.") { $0.decision.losses }
    v.optional("orphan", "The missing half of a Live Photo.") { $0.decision.orphan }
    v.required("warnings", "The warnings known before a picture is decoded.") { $0.warnings }
  }
}

/// The name of an action.
private enum ActionWord: String, CaseIterable, FactValue {
  case copy, convert, transcode, remux, refuse
}

extension LiveOrphan.Half: FactValue {}

extension LiveOrphan: Described {
  public static let title = "orphan"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == LiveOrphan {
    v.required("missing", "The missing half.") { $0.missing }
    v.required("content_identifier", "The content identifier of both halves.") { $0.identifier }
  }
}
