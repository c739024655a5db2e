// SPDX-License-Identifier: MIT

import CSandbox
import Files
import Glibc
import Stills

/// `apus convert-worker`: what `convert --isolate` starts itself with, again and again. It takes names from an open
/// descriptor and sends a report for each.
struct ConvertWorker: Verb {
  static let name = "convert-worker"
  static let summary = "convert photos that another process names"
  static let examples: [Example] = []
  /// Where the process finds the other one.
  static let descriptor: Int32 = 3
  /// The photo, the output, the libraries that are opened meanwhile, and some to spare.
  private static let openFiles: UInt32 = 64

  var convert = Convert()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try convert.arguments(&v)
  }

  func run(_ console: Console) throws -> ExitStatus {
    apus_end_with_parent()
    return try Self.work(ConvertSettings(convert))
  }

  /// Gives up all that decoding does not need, then takes photos until nobody names one.
  static func work(_ settings: ConvertSettings) throws -> ExitStatus {
    let outputs = ConvertOutputs(settings)
    let engine = PhotoEngine(settings.options, workers: 1)
    Interruption.watch { engine.stop() }
    let mebibytes = UInt64(min(settings.isolation.addressMebibytes, 1 << 24))
    let limited = apus_limit_process(mebibytes << 20, openFiles)
    guard limited == 0 else { throw FileError("limit", "this process", code: limited) }
    let refused = apus_refuse_system_calls()
    guard refused == 0 else { throw FileError("isolate", "this process", code: refused) }

    let names = try NameList(duplicating: descriptor, name: "the process that converts")
    let requests = Requests(names, outputs, seconds: settings.isolation.cpuSeconds)
    engine.run(
      next: { requests.next() },
      report: { report in
        let frame = ReportFrame(report, requests.items.remove(report.input)?.skipped ?? [])
        // With nobody to tell, nobody would name another photo.
        if !send(frame) { engine.stop() }
      })
    return .done
  }

  /// Whether anybody took it.
  private static func send(_ frame: ReportFrame) -> Bool {
    let writer = DescriptorWriter(descriptor, name: "the process that converts")
    do {
      let bytes = try frame.bytes()
      try writer.write(bytes.span)
      try writer.flush()
      return true
    } catch {
      return false
    }
  }

  /// The photos that the other process names. May cross threads because the engine has one of them.
  private final class Requests: @unchecked Sendable {
    let items = ItemsInFlight()
    private var names: NameList
    private let outputs: ConvertOutputs
    private let seconds: UInt64

    init(_ names: consuming NameList, _ outputs: ConvertOutputs, seconds: Int) {
      self.names = names
      self.outputs = outputs
      // The kernel counts nanoseconds.
      self.seconds = UInt64(min(seconds, 1 << 32))
    }

    func next() -> PhotoRequest? {
      do throws(FileError) {
        guard let path = try names.next(), let folder = try names.next() else { return nil }
        apus_limit_time(seconds)
        let item = ConvertItem(InputName(path, travelled: folder))
        items.add(item)
        return outputs.request(for: item)
      } catch {
        return nil
      }
    }
  }
}

/// `apus extract-worker`: the same for `extract --isolate`.
struct ExtractWorker: Verb {
  static let name = "extract-worker"
  static let summary = "take apart photos that another process names"
  static let examples: [Example] = []

  var extract = Extract()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try extract.arguments(&v)
  }

  func run(_ console: Console) throws -> ExitStatus {
    apus_end_with_parent()
    return try ConvertWorker.work(extract.settings())
  }
}

/// `apus export-worker`: the same for the pictures of `export --isolate` that are decoded.
struct ExportWorker: Verb {
  static let name = "export-worker"
  static let summary = "convert photos of an export that another process names"
  static let examples: [Example] = []

  var export = Export()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try export.arguments(&v)
  }

  func run(_ console: Console) throws -> ExitStatus {
    apus_end_with_parent()
    return try ConvertWorker.work(export.settings())
  }
}

extension Verb {
  /// The options as they were typed, each in one word, for processes that do the same.
  static var optionWords: [String] {
    get throws(UsageError) {
      let parser = try ArgumentParser(arguments, words: CommandLine.arguments.dropFirst(2))
      return zip(parser.arguments, parser.words).flatMap { argument, words in
        words.map { argument.takesValue ? "--\(argument.long)=\($0.text)" : "--\(argument.long)" }
      }
    }
  }
}

extension InputName {
  /// Two names that travel: the path, and the folder in which it was found behind a mark that is always there.
  var travelling: [UInt8] {
    Array(path.utf8) + [0] + Array((folder.map { "+" + $0 } ?? "-").utf8) + [0]
  }

  fileprivate init(_ path: String, travelled folder: String) {
    self.init(path: path, folder: folder.hasPrefix("+") ? String(folder.dropFirst()) : nil)
  }
}
