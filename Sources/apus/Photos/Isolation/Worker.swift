// SPDX-License-Identifier: MIT

import CSandbox
import Files
import Stills

/// A verb that converts photos, which processes of its own may do for it.
protocol PhotoVerb: Verb {
  /// What the options come to.
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
    let channel = WorkerChannel()
    if settings.isIsolated {
      settings.workers = 1
      try Self.confine(settings.isolation)
    }
    let engine = settings.engine(ConvertOutputs(settings, channel))
    // Only now, so that a confined process has no thread that is not.
    try channel.listen { engine.stop() }
    engine.run(
      next: { [settings] in
        let item = channel.next(settings)
        if settings.isIsolated { Self.limitTime(settings.isolation.cpuSeconds) }
        return item
      },
      report: { [settings] in
        // What is left to do for this photo must not be charged to the next one.
        if settings.isIsolated { Self.limitTime(.max) }
        channel.report($0, $1)
      })
    return .done
  }

  /// The photo, the output, the libraries that are opened meanwhile, and some to spare.
  private static var openFiles: UInt32 { 64 }

  /// Ends this process when it has used so many more seconds of processor time.
  private static func limitTime(_ seconds: Int) {
    apus_limit_time(UInt64(min(seconds, 1 << 32)))
  }

  /// Gives up all that decoding does not need.
  private static func confine(_ limits: IsolationLimits) throws(FileError) {
    let mebibytes = UInt64(min(limits.addressMebibytes, 1 << 24))
    let limited = apus_limit_process(mebibytes << 20, openFiles)
    guard limited == 0 else { throw FileError("limit", "this process", code: limited) }
    let refused = apus_refuse_system_calls()
    guard refused == 0 else { throw FileError("isolate", "this process", code: refused) }
  }
}

/// What processes that convert for a run are started with.
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

extension ConvertItem {
  /// What names a photo to another process: its path, a mark or the folder in which it was found after another,
  /// whether a run before was cut short with it, and what was made of it before.
  var travelling: [String] {
    let folder = name.folder.map { "+" + $0 } ?? "-"
    let mark = wasCutShort ? Self.cutShort : "-"
    return [name.path, folder, mark, name.fields.travelling] + made.flatMap { [$0.key, $0.value] }
  }

  private static let cutShort = "cut short"

  /// - Parameter words: as `travelling` has them.
  convenience init?(travelled words: [String], _ settings: ConvertSettings) {
    guard words.count >= 4, words.count % 2 == 0 else { return nil }
    let folder = words[1].hasPrefix("+") ? String(words[1].dropFirst()) : nil
    let name = InputName(path: words[0], folder: folder, fields: NameFields(travelled: words[3]))
    self.init(name, settings.export?.decision(on: name))
    note { traces in
      traces.wasCutShort = words[2] == Self.cutShort
      for index in stride(from: 4, to: words.count, by: 2) {
        traces.made[words[index]] = words[index + 1]
      }
    }
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
