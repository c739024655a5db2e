// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusFiles
import ApusMedia
import ApusPresentations
import ApusSamples

/// A remux whose inputs are renditions of one HLS presentation.
struct HLSRemux {
  var path: String
  var options: HLSOptions
  var input: MediaInput.Options
  var mayLeaveFolder: Bool
  var selection: TrackSelection
  var output: OutputOptions
  var json: Bool

  /// Fails if any input cannot be opened.
  func run(_ inputs: Inputs, count: Int?, _ console: Console) throws -> ExitStatus {
    var opened: [(name: String, media: MediaInput)] = []
    try inputs.each { input in
      let options = self.input.reading(input, mayLeaveFolder: mayLeaveFolder)
      var media = try MediaInput.open(input.source, options: options)
      for name in try media.choose(selection) {
        console.detail("\(input.name): \(name) was not chosen and is left out")
      }
      opened.append((input.name, media))
    }
    guard !opened.isEmpty, count.map({ $0 <= opened.count }) ?? true else { return .failed }
    do {
      return try write(opened, inputs.files, console) ? .done : .nothingToDo
    } catch let error as UsageError {
      throw error
    } catch let error as FileError {
      console.fail(error.description)
    } catch {
      console.fail(opened.map(\.name).joined(separator: " + "), error)
    }
    return .failed
  }

  private func write(
    _ inputs: [(name: String, media: MediaInput)], _ files: InputFiles, _ console: Console
  ) throws -> Bool {
    let job = try HLSJob(inputs.map(\.media), options: options)
    var reporter = HLSReporter(
      inputs: inputs.map(\.name), output: path, warnings: inputs.map(\.media.warnings))
    reporter.warn(job.plan, console)
    if output.dryRun {
      let names = job.plan.renditions.map(\.track).joined(separator: ", ")
      console.detail("\(path): would contain \(names)")
      if json { try console.print(reporter.json(job.plan)) }
      return true
    }
    guard let written = try job.writeAndWait(to: path, onExists: output.onExists, inputs: files)
    else {
      console.noteExisting(path)
      return false
    }
    let report = written.report
    reporter.output = written.path
    if let warning = written.warning { console.note("\(path): \(warning)") }
    reporter.tell(report, planned: job.plan.warnings.count, console)
    if json { try console.print(reporter.json(report)) }
    return true
  }
}
