// SPDX-License-Identifier: MIT

import ApusFiles
import ApusStills
import CApusSandbox

/// A verb that converts photos, which processes of its own may do for it.
protocol PhotoVerb: Verb {
  /// The settings of the options.
  func settings() throws -> ConvertSettings
}

/// `apus convert-worker`, and the same of every other verb that converts photos: what a run starts itself with, with the
/// same options. It converts what the run names, and reports it.
struct Worker<Job: PhotoVerb>: Verb {
  static var name: String { Job.name + "-worker" }
  static var summary: String { "convert photos that another process names" }
  static var examples: [Example] { [] }

  var job = Job()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try job.arguments(&v)
  }

  func run(_ console: Console) throws -> ExitStatus {
    apus_end_with_parent()
    var settings = try job.settings()
    if settings.isIsolated {
      settings.batch.workers = 1
      Confinement.prepare(closingFrom: WorkerChannel.descriptor + 1)
    }
    PipeStop.shared.arm()
    let channel = WorkerChannel(settings)
    if settings.isIsolated { try channel.confine() }
    let converter = BatchConverter(settings.batch)
    // Only now, so that a confined process has no thread that is not.
    try channel.listen {
      converter.stop()
      // A photo that is read from a pipe may never come.
      PipeStop.shared.stop()
    }
    converter.work(for: channel)
    return .done
  }
}

/// The command line of the worker processes of a run.
struct WorkerCommand: Sendable {
  private(set) var words: [String]

  /// The options of a verb as they were typed, each in one word.
  init<Job: PhotoVerb>(_ job: Job.Type) throws(UsageError) {
    let parser = try ArgumentParser(Job.arguments, words: CommandWords.all.dropFirst(2))
    let options = zip(parser.arguments, parser.words).flatMap { argument, words in
      words.map {
        $0.text.isEmpty && !argument.takesValue
          ? "--\(argument.long)" : "--\(argument.long)=\($0.text)"
      }
    }
    words = [Worker<Job>.name] + options
  }
}
