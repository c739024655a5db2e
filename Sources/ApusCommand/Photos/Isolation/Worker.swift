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

extension BatchItem {
  /// The words that describe a photo to another process, in addition to its number: its path, a mark or the folder in which
  /// it was found, whether an earlier run was interrupted at it, and the outputs of that run.
  var travelling: [String] {
    let folder = name.folder.map { "+" + $0 } ?? "-"
    let mark = wasCutShort ? Self.cutShort : "-"
    return [name.path, folder, mark, fields.travelling]
      + made.flatMap { [$0.key, $0.value] }
  }

  private static let cutShort = "cut short"

  /// - Parameter message: one that names a photo, as `travelling` does.
  init?(travelled message: WorkerMessage, _ planner: (any FilePlanner)?) {
    let words = message.words
    guard words.count >= 4, words.count % 2 == 0, let number = message.numbers.first else {
      return nil
    }
    let folder = words[1].hasPrefix("+") ? String(words[1].dropFirst()) : nil
    let name = InputName(path: words[0], folder: folder)
    self.init(
      name, number: Int(clamping: number), NameFields(travelled: words[3]),
      planner?.decision(on: name))
    wasCutShort = words[2] == Self.cutShort
    for index in stride(from: 4, to: words.count, by: 2) { made[words[index]] = words[index + 1] }
  }
}

extension NameFields {
  /// All of them in one word: the number, the parts of the date, the camera.
  fileprivate var travelling: String {
    ([String(number), date?.parts.map(String.init).joined(separator: ":") ?? ""]
      + (camera.map { [$0] } ?? []))
      .joined(separator: "\t")
  }

  /// - Parameter word: as `travelling` has it.
  fileprivate init(travelled word: String) {
    self.init()
    let parts = word.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
    number = parts.first.flatMap { Int($0) } ?? 0
    if parts.count > 1 { date = CalendarTime(exif: String(parts[1])) }
    if parts.count > 2 { camera = String(parts[2]) }
  }
}
