// SPDX-License-Identifier: MIT

import Bytes
import Files
import HLS
import Media
import Video

/// A remux whose inputs are renditions of one presentation for HTTP Live Streaming.
struct HLSRemux {
  var path: String
  var options: HLSOptions
  var input: MediaInput.Options
  var output: OutputOptions
  var json: Bool

  /// Every input must be there: a presentation that lacks one would be another.
  func run(_ inputs: Inputs, count: Int?, _ console: Console) throws -> ExitStatus {
    var opened: [(name: String, media: MediaInput)] = []
    for input in inputs {
      do throws(SyntaxError) {
        let options = self.input.reading(input)
        opened.append((input.name, try MediaInput.open(input.source, options: options)))
      } catch {
        guard !input.isFound || error.field != "input" else {
          console.detail("\(input.name) \(error.detail)")
          continue
        }
        console.fail("\(input.name): \(error)")
      }
    }
    guard !opened.isEmpty, count.map({ $0 <= opened.count }) ?? true else { return .failed }
    do {
      return try write(opened, console) ? .done : .nothingToDo
    } catch let error as SyntaxError {
      console.fail("\(path): \(error)")
    } catch let error as FileError {
      console.fail(error.description)
    }
    return .failed
  }

  private func write(_ inputs: [(name: String, media: MediaInput)], _ console: Console) throws
    -> Bool
  {
    let job = try HLSJob(inputs.map(\.media), options: options)
    var reporter = HLSReporter(
      inputs: inputs.map(\.name), output: path, warnings: inputs.map(\.media.warnings))
    reporter.warn(job.plan, console)
    if output.dryRun {
      let names = job.plan.renditions.map(\.track).joined(separator: ", ")
      console.detail("\(path): would hold \(names)")
      if json { try console.print(reporter.json(job.plan)) }
      return true
    }
    guard let folder = try FolderOutput(path, onExists: output.onExists) else {
      console.note("\(path): is there already, skipped; --on-exists replace|rename writes it")
      return false
    }
    let (report, playlist) = try job.write(
      to: PresentationFolder(folder), prefix: folder.folderName + "/")
    reporter.output = try folder.commit(playlist.text, replacing: replaced(at: folder.path))
    reporter.tell(report, console)
    if json { try console.print(reporter.json(report)) }
    return true
  }

  /// The files of the presentation whose place this one takes.
  private func replaced(at path: String) -> [String] {
    guard output.onExists == .replace, let old = try? FileSource(path) else { return [] }
    let folder = FolderInput(beside: path)
    return PresentationNames.all(in: old) { name throws(SyntaxError) in
      do throws(FileError) {
        return try folder.open(name)
      } catch {
        throw SyntaxError(.io, field: name, offset: 0, detail: error.description)
      }
    }
  }
}
