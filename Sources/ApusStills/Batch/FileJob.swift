// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusFiles

/// Work on a file that is not a photo, such as transcoding a video. A batch runs one such job at a time, because the
/// job has its own threads, and converts photos meanwhile.
public protocol FileJob: Sendable {
  /// The name of the job in a plan, such as `transcode`.
  var name: String { get }

  /// The message for a file on which the job cannot run because photos are decoded in confined processes.
  var refusalWhenConfined: String { get }

  /// Returns the path of the file that holds the output until it is complete.
  func unfinishedPath(of path: String) -> String

  /// Writes the output of a file.
  ///
  /// - Parameters:
  ///   - path: where the output goes.
  ///   - isStopped: polled regularly; once it returns `true`, the job throws and leaves no files.
  /// - Returns: the file written; `nil` if an existing file was kept.
  func write(
    _ source: any ByteSource, to path: String, onExists: OnExists,
    isStopped: @escaping @Sendable () -> Bool
  ) throws -> JobOutput?
}

/// A file that a job has written.
public struct JobOutput: Sendable {
  /// The path of the file, which differs from the requested one if that was taken.
  public var path: String
  /// The size of the file in bytes.
  public var bytes: Int
  /// The warnings about the output, such as contents that were left out.
  public var warnings: [String]

  public init(path: String, bytes: Int, warnings: [String]) {
    self.path = path
    self.bytes = bytes
    self.warnings = warnings
  }
}
