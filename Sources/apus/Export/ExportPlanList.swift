// SPDX-License-Identifier: MIT

import Files
import Stills

/// What `apus export --plan` prints: what would be done with each file, and why.
struct ExportPlanList {
  private let settings: ConvertSettings
  private let planner: ExportPlanner

  init(_ settings: ConvertSettings, _ planner: ExportPlanner) {
    self.settings = settings
    self.planner = planner
  }

  func print(on console: Console) throws -> ExitStatus {
    let output = ResultStream(console: console)
    var shown = 0
    var names = InputNames(settings.inputs)
    while true {
      do throws(FileError) {
        guard let name = try names.next() else { break }
        guard FileWalk.exists(name.path) else {
          throw FileError("open", name.path, reason: "there is no such file")
        }
        show(planner.decision(on: name), name, on: console)
        shown += 1
      } catch {
        console.fail(error.description)
      }
      try output.check()
    }
    return shown > 0 ? .done : .nothingToDo
  }

  private func show(_ decision: ExportDecision, _ name: InputName, on console: Console) {
    let target = settings.target.path(.primary, of: name, extension: decision.pathExtension)
    var path: String? = target
    if case .refuse = decision.action { path = nil }
    let output = ResultStream(console: console)
    guard !settings.batch.json else {
      var json = JSONWriter(output)
      write(decision, name, path, to: &json)
      return json.endDocument()
    }
    let told = decision.reasons + decision.losses
    let why = told.isEmpty ? "" : " (\(told.joined(separator: "; ")))"
    output.write("\(decision.action.name) \(name.path)\(path.map { " → \($0)" } ?? "")\(why)\n")
  }

  private func write<Output: TextOutputStream>(
    _ decision: ExportDecision, _ name: InputName, _ path: String?,
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
    }
  }
}
