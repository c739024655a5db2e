// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusStills

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
      var json = JSONWriter(output)
      write(decision, name, path, warnings, to: &json)
      return json.endDocument()
    }
    for warning in warnings { console.warn("\(name.path): \(warning)") }
    let remarks = decision.reasons + decision.warnings
    let why = remarks.isEmpty ? "" : " (\(remarks.joined(separator: "; ")))"
    let text = "\(decision.action.name) \(name.path)\(path.map { " → \($0)" } ?? "")\(why)"
    output.write(text.printable + "\n")
  }

  private func write<Output: TextOutputStream>(
    _ decision: FileDecision, _ name: InputName, _ path: String?, _ warnings: [String],
    to json: inout JSONWriter<Output>
  ) {
    json.object { json in
      json.field("input", name.path)
      json.field("action", decision.action.name)
      json.field("kind", decision.kind)
      json.key("output")
      if let path { json.value(path) } else { json.null() }
      json.key("reasons")
      json.array { json in for reason in decision.reasons { json.value(reason) } }
      json.key("losses")
      json.array { json in for loss in decision.losses { json.value(loss) } }
      if let orphan = decision.orphan {
        json.key("orphan")
        json.object { json in
          json.field("missing", orphan.missing.rawValue)
          json.field("content_identifier", orphan.identifier)
        }
      }
      json.key("warnings")
      json.array { json in for warning in warnings { json.value(warning) } }
    }
  }
}
