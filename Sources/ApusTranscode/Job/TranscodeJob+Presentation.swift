// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
public import ApusFiles
public import ApusPresentations

extension TranscodeJob {
  /// Writes a presentation for HTTP Live Streaming: the playlist and the folder next to it. Until it is finished,
  /// `PATH.part` holds what has come, as a movie in fragments.
  ///
  /// - Returns: the report, the path of the playlist, and the name of the folder next to it; `nil` if an existing file
  ///   is kept.
  ///
  /// - Parameter inputs: files that are never replaced or removed.
  public func writeAndWait(
    presentation path: String, onExists: OnExists, _ hls: HLSOptions,
    inputs: InputFiles = InputFiles()
  ) throws -> (
    report: TranscodeReport, presentation: HLSReport, path: String, folder: String
  )? {
    guard onExists != .skip || !FileSystem.exists(path) else { return nil }
    // A presentation is a tree of files, whose root is created like the rest.
    try OutputFolder.make(for: path)
    return try writePart(of: path) { (report, part) throws in
      var report = report
      var job = try HLSJob([MediaInput.open(FileSource(part))], options: hls)
      job.isCancelled = isCancelled
      guard let written = try job.writeAndWait(to: path, onExists: onExists, inputs: inputs) else {
        throw FileError("write", path, reason: "was created meanwhile; \(part) is kept")
      }
      report.output.leftOut += written.report.leftOut.map { ($0.name, $0.reason) }
      report.output.warnings += written.report.warnings.map(\.text)
      if let warning = written.warning { report.output.warnings.append(warning) }
      return (report, written.report, written.path, written.folder)
    }
  }
}
