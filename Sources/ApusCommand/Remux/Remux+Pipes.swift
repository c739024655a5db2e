// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusFiles
import ApusMedia
import ApusSamples

extension Remux {
  /// Writes a pipe to a movie. Data goes to a part as it arrives; a movie in the pipe must be complete before it is read.
  func gather(_ pipe: PipeReader, as target: RemuxTarget, _ console: Console) throws -> ExitStatus {
    guard let path = output.path else {
      throw UsageError("no output: use -o OUT")
    }
    var bytes: [UInt8] = []
    while bytes.count < 16, let more = try pipe.next() { bytes += more }
    let kind = FileKind(prefix: bytes)
    guard media.start == nil, kind == .flv || kind == .annexB else {
      let source = try spooled(pipe, after: bytes, limit: limits.limits.pipe)
      let input = Input(InputName(path: "-"), source)
      return try attempt(console) { try remux(input, to: target, console) }
    }
    return try attempt(console) {
      var media = try MediaInput.open(growing: pipe.pull, after: bytes, options: mediaOptions)
      var reporter = RemuxReporter(input: "-", output: path, target: target)
      reporter.unchosen = try media.choose(self.media.selection)
      reporter.warnings = media.warnings
      let job = try RemuxJob(media, options: try jobOptions(target))
      return try gather(job, to: path, &reporter, console)
    }
  }

  /// Writes a file of an input that is still coming.
  func gather(
    _ job: RemuxJob, to path: String, _ reporter: inout RemuxReporter, _ console: Console
  ) throws -> Bool {
    reporter.warn(job.plan, console)
    try output.makeFolder(for: path)
    guard let done = try job.writeAndWait(to: path, onExists: output.onExists) else {
      return skipped(path, console)
    }
    reporter.output = done.path
    reporter.tell(done.report, console)
    if json { try console.print(reporter.json(done.report, bytes: done.count)) }
    return true
  }

  /// Copies a pipe to a pipe, sample by sample.
  func pass(_ pipe: PipeReader, as target: RemuxTarget, _ console: Console) throws -> ExitStatus {
    guard media.start == nil else {
      throw UsageError("--start needs a file, not a pipe")
    }
    return try attempt(console) {
      var media = try MediaInput.open(
        growing: pipe.pull, options: mediaOptions.reading(playlistAt: "-"))
      var reporter = RemuxReporter(input: "-", output: "-", target: target)
      reporter.unchosen = try media.choose(self.media.selection)
      reporter.warnings = media.warnings
      let job = try RemuxJob(media, options: try jobOptions(target))
      reporter.warn(job.plan, console)
      var sink = console.output
      reporter.tell(try job.writeAndWait(to: &sink), console)
      return true
    }
  }

  /// Reports errors of the input, and throws all others.
  private func attempt(_ console: Console, _ body: () throws -> Bool) throws -> ExitStatus {
    do {
      return try body() ? .done : .nothingToDo
    } catch let error where error is SyntaxError || error is MediaError {
      console.fail("-", error)
      return .failed
    }
  }
}

extension PipeReader {
  /// Returns the next bytes as they arrive.
  fileprivate var pull: PullBytes {
    { try self.next() }
  }
}
