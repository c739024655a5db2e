// SPDX-License-Identifier: MIT

internal import ApusContainers
public import ApusFiles
internal import HLS

extension HLSJob {
  /// A presentation on disk.
  public struct Written: Sendable {
    public var report: HLSReport
    /// The path of the playlist that names the renditions.
    public var path: String
    /// The name of the folder next to it, with all other files.
    public var folder: String
    /// A warning if files of the replaced presentation are kept.
    public var warning: String?
  }

  /// Writes the playlist and the folder next to it while the task is suspended. Cancelling the task ends the job with
  /// `CancellationError`, and nothing appears.
  ///
  /// - Returns: `nil` if an existing file is kept.
  public func write(to path: String, onExists: OnExists = .skip) async throws -> Written? {
    try await onThread { try $0.writeAndWait(to: path, onExists: onExists) }
  }

  /// Writes the playlist and the folder next to it while the calling thread waits; they appear together at the end.
  ///
  /// - Parameter inputs: files that are never replaced or removed.
  /// - Returns: `nil` if an existing file is kept.
  public func writeAndWait(
    to path: String, onExists: OnExists, inputs: InputFiles = InputFiles()
  ) throws -> Written? {
    guard
      let output = try FolderOutput(
        path, onExists: onExists, inputs: inputs, isOwn: PresentationFolder.isOwn)
    else { return nil }
    let report = try writeAndWait(to: PresentationFolder(output))
    var folder = ""
    let path = try output.commit { name in
      folder = name
      return report.playlist(prefix: name + "/").text
    }
    let warning =
      output.replaced == .kept
      ? "the files of the replaced playlist are kept, because Apus may not have written all of them"
      : nil
    return Written(report: report, path: path, folder: folder, warning: warning)
  }
}
