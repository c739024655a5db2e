// SPDX-License-Identifier: MIT

import ApusFiles
import ApusMedia
import ApusStills
import ApusThreads
import HEVC

/// One run of `apus convert --group`: all inputs become pictures of one HEIC, or nothing is written.
struct ConvertGroup {
  private let settings: ConvertSettings
  private let group: ImageDestination.Group
  private let frameRate: FrameRate?

  init(_ settings: ConvertSettings, _ group: ImageDestination.Group, frameRate: FrameRate?) {
    self.settings = settings
    self.group = group
    self.frameRate = frameRate
  }

  func run(_ console: Console) throws -> ExitStatus {
    guard case .file(let path) = settings.batch.target.place else { return .usage }
    var reporter = ConvertReporter(console, settings)
    var tally = BatchTally()
    let report = { (photo: PhotoReport) throws(FileError) in
      tally.add(photo)
      try reporter.report(BatchReport(photo, tally))
    }
    let names = try self.names()
    if settings.batch.onExists == .skip, FileIdentity(path) != nil {
      var photo = PhotoReport(input: path)
      photo.status = .skipped
      photo.existing = [path]
      try report(photo)
      return try reporter.finish(tally, isInterrupted: false)
    }
    var reports: [PhotoReport] = []
    let flag = StopFlag()
    do {
      let destination = try ImageDestination(
        path, count: max(names.count, 1), options: settings.batch.options, group: group,
        frameRate: frameRate, workers: settings.batch.workers, onExists: settings.batch.onExists)
      Interruption.watch { [messages = console.messages, stop = destination.stop] in
        flag.stop()
        messages.stopping()
        stop()
      }
      for name in names { reports.append(try destination.add(name)) }
      let written = try destination.finalize() ?? path
      // Of the file that all of them are in.
      if let last = reports.indices.last, let size = FileIdentity(written)?.size, size > 0,
        !reports[last].outputs.isEmpty
      {
        reports[last].outputs[0].bytes = size
      }
      for index in reports.indices {
        reports[index].outputs = reports[index].outputs.map { output in
          var output = output
          output.path = written
          return output
        }
        try report(reports[index])
      }
    } catch {
      if flag.isStopped {
        return try reporter.finish(tally, isInterrupted: true)
      }
      // The one that failed is that after the last that was added; none is in a file.
      var photo = PhotoReport(input: reports.count < names.count ? names[reports.count] : path)
      photo.failure = MediaError(error)
      try report(photo)
    }
    return try reporter.finish(tally, isInterrupted: false)
  }

  /// Returns the inputs in the order typed, those of a folder sorted by name.
  private func names() throws -> [String] {
    var names = InputNames(settings.batch.inputs)
    var found: [String] = []
    while let name = try names.next() {
      if !name.isFound || settings.batch.kinds.contains(name.path) { found.append(name.path) }
    }
    return found
  }
}
