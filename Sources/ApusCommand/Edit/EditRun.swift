// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusMedia
import ApusStills
import ISOBMFF

/// A file after a change.
enum EditedInput {
  case boxes(EditedFile)
  case photo(EditedPhoto)

  var count: Int {
    switch self {
    case .boxes(let file): file.count
    case .photo(let photo): photo.count
    }
  }

  /// The bytes to overwrite; `nil` if the size changes.
  var splices: [Splice]? {
    switch self {
    case .boxes(let file): file.splices
    case .photo(let photo): photo.splices
    }
  }

  var moves: [EditedFile.Move] {
    switch self {
    case .boxes(let file): file.moves
    case .photo(let photo): photo.moves
    }
  }

  func write<Sink: ByteSink>(to writer: inout SyntaxWriter<Sink>) throws {
    switch self {
    case .boxes(let file): try file.tree.write(to: &writer)
    case .photo(let photo): try photo.write(to: &writer)
    }
  }
}

/// A run of a verb that changes files, over all its inputs.
struct EditRun {
  private let inputs: InputOptions
  private let output: EditOutput
  private let limits: Limits
  private let journal: EditJournal?
  private let console: Console

  init(
    _ inputs: InputOptions, _ output: EditOutput, _ limits: Limits, _ console: Console,
    journal: EditJournal? = nil
  ) {
    self.inputs = inputs
    self.output = output
    self.limits = limits
    self.console = console
    self.journal = journal
  }

  /// Changes the boxes of each input and writes it, or lists what would be written.
  ///
  /// - Parameter judge: counts the errors of the changed file; any make the run fail.
  func run(
    judging judge: (EditedFile) throws -> Int = { _ in 0 },
    _ change: (inout BoxEditor, Input, inout EditReport) throws -> Void
  ) throws -> ExitStatus {
    try run { input, report in
      let tree = try input.boxTree(limits)
      report.warn(of: tree.findings)
      var editor = BoxEditor(tree, of: input.source)
      try change(&editor, input, &report)
      let edited = try editor.finished()
      report.add(remaining: try judge(edited))
      return .boxes(edited)
    }
  }

  /// Changes each input and writes it, or lists what would be written.
  func run(_ edit: (Input, inout EditReport) throws -> EditedInput) throws -> ExitStatus {
    guard output.inPlace || output.output.path != nil || output.output.dryRun else {
      throw UsageError("no output: use -o OUT or --in-place")
    }
    guard !output.json || output.output.path != "-" || Console.hasOwnResults else {
      throw UsageError("-o - and --json both write to standard output")
    }
    var tally = EditTally()
    let opened = try inputs.opened(
      console, limits, for: output.output, inPlace: output.inPlace && !output.output.dryRun)
    opened.willOpen = { name throws(FileError) in try finishEarlierChange(of: name.path) }
    try opened.each { input in
      var report = EditReport(file: input.name, bytes: input.source.count)
      do {
        if try isFinished(input) {
          report.status = .finishedBefore
        } else {
          let edited = try edit(input, &report)
          try report.add(edited, of: input.source)
          try journal?.begin(input.name, isChanged: output.inPlace)
          try write(edited, of: input, &report)
          try journal?.finish(input.name, report)
        }
      } catch let error as OtherKind {
        throw error
      } catch let error as UsageError {
        throw error
      } catch {
        let shown =
          (error as? EditError).map {
            MediaError(.unsupported, $0.suggestion, remedy: $0.remedy)
          } ?? error
        report.fail("\(shown)")
        tally.add(report)
        if output.json { try report.print(on: console) }
        return console.fail(input.name, shown)
      }
      tally.add(report)
      for warning in report.warnings { console.warn("\(input.name): \(warning)") }
      if output.json { try report.print(on: console) }
    }
    if inputs.several { console.note(tally.text) }
    try journal?.sync()
    if tally.faulty > 0 { return .failed }
    return tally.done > 0 ? .done : .nothingToDo
  }

  /// Writes the bytes of a box of each input.
  func extract(_ path: BoxPath, _ options: OutputOptions) throws -> ExitStatus {
    var written = 0
    try inputs.opened(console, limits, for: options).each { input in
      let editor = BoxEditor(try input.boxTree(limits), of: input.source)
      let bytes: Extent
      do throws(EditError) { bytes = try editor.extract(path) } catch {
        throw NothingThere(error.suggestion)
      }
      let path = try options.target(for: input, several: inputs.several)
      if options.dryRun {
        console.note("\(path): \(bytes.count) bytes would be written")
        written += 1
        return
      }
      guard let target = try options.begin(path, for: input) else { return skip(path) }
      var writer = SyntaxWriter(target.writer)
      try writer.append(bytes)
      try target.commit()
      written += 1
    }
    return written > 0 ? .done : .nothingToDo
  }

  /// Finishes an interrupted in-place change of an earlier run, before the file is read.
  private func finishEarlierChange(of file: String) throws(FileError) {
    guard output.inPlace, !output.output.dryRun, file != "-", try FilePatch.finish(file) else {
      return
    }
    try journal?.finishInterrupted(file)
    console.note("\(file): finished an interrupted in-place change")
  }

  private func isFinished(_ input: Input) throws -> Bool {
    guard let journal, try journal.isFinished(input.name, isChanged: output.inPlace) else {
      return false
    }
    let path = try output.inPlace ? nil : output.output.target(for: input, several: inputs.several)
    return path.map(FileIdentity.exists) ?? true
  }

  private func write(_ edited: EditedInput, of input: Input, _ report: inout EditReport) throws {
    if output.output.dryRun {
      guard !output.json else { return }
      if inputs.several { try console.print("\(input.name):") }
      return try report.preview(on: console)
    }
    guard output.inPlace else {
      let path = try output.output.target(for: input, several: inputs.several)
      try output.output.refuseInputs(path, for: input)
      try output.output.makeFolder(for: path)
      return try write(edited, to: path, output.output.onExists, &report)
    }
    guard let file = input.source as? FileSource, input.name != "-" else {
      throw UsageError("\(input.name) cannot be changed in place; use -o OUT")
    }
    guard let splices = edited.splices else {
      report.warn(ofNames: FileSystem.names(of: input.name))
      return try write(edited, to: input.name, .replace, &report)
    }
    guard !splices.isEmpty else { return }
    // A snapshot or a backup may hold the file under another name, and is to keep what it has.
    let names = FileSystem.names(of: input.name)
    guard names == 1 else {
      report.warn(ofNames: names)
      return try write(edited, to: input.name, .replace, &report)
    }
    report.output = input.name
    try FilePatch.apply(splices.map { ($0.range.lowerBound, $0.bytes) }, to: file)
    console.detail("\(input.name): \(splices.count) places changed")
  }

  private func write(
    _ edited: EditedInput, to path: String, _ onExists: OnExists, _ report: inout EditReport
  ) throws {
    guard let target = try FileOutput(path, onExists: onExists) else {
      report.status = .skipped
      return skip(path)
    }
    var writer = SyntaxWriter(target.writer)
    try edited.write(to: &writer)
    report.output = try target.commit()
    console.detail("\(report.output ?? path): \(target.writer.count) bytes written")
  }

  private func skip(_ path: String) {
    console.noteExisting(path)
  }
}

/// The numbers of files of a run by result.
private struct EditTally {
  private var counts: [EditReport.Status: Int] = [:]

  /// The number of files changed or copied, or that would be.
  private(set) var done = 0
  /// The number of files in which errors remain.
  private(set) var faulty = 0

  mutating func add(_ report: EditReport) {
    if report.remaining > 0 { faulty += 1 }
    counts[report.status, default: 0] += 1
    if report.status == .changed || report.output != nil { done += 1 }
  }

  /// `527 files: 416 changed, 110 unchanged, 1 failed`.
  var text: String {
    let all = counts.values.reduce(0, +)
    let parts = EditReport.Status.allCases.compactMap { status in
      counts[status].map {
        "\($0) \(status == .finishedBefore ? "already finished" : status.rawValue)"
      }
    }
    guard all > 0 else { return "no files to change" }
    let rest = faulty > 0 ? "; errors remain in \(faulty)" : ""
    return "\(all) \(all == 1 ? "file" : "files"): " + parts.joined(separator: ", ") + rest
  }
}
