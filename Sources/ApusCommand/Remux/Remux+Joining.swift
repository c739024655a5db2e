// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusFiles
import ApusMedia
import ApusSamples

extension Remux {
  /// Joins all inputs into one file. Fails if any input cannot be opened.
  func join(to target: RemuxTarget, _ console: Console) throws -> ExitStatus {
    guard let path = output.path else { throw UsageError("no output: use -o OUT") }
    guard media.start == nil else { throw UsageError("--start cannot be used when joining inputs") }
    var opened: [(input: Input, media: MediaInput)] = []
    var unchosen: [String] = []
    try self.opened(console).each { input in
      var media = try MediaInput.open(
        input.source, options: mediaOptions.reading(input, mayLeaveFolder: media.mayLeave))
      let others = try media.choose(self.media.selection)
      if opened.isEmpty { unchosen = others }
      opened.append((input, media))
    }
    guard let first = opened.first?.input, opened.count == inputs.operands.count else {
      return .failed
    }
    do {
      let joined = try MediaInput.joining(opened.map { ($0.input.name, $0.media) })
      var reporter = RemuxReporter(
        input: opened.map(\.input.name).joined(separator: " + "), output: path, target: target)
      reporter.unchosen = unchosen
      reporter.warnings = joined.warnings
      let job = try RemuxJob(joined, options: try jobOptions(target))
      reporter.warnings.removeAll { job.plan.settled.contains($0) }
      return try write(job, to: path, for: first, &reporter, console) ? .done : .nothingToDo
    } catch let error where error is SyntaxError || error is MediaError {
      console.fail(path, error)
      return .failed
    }
  }
}
