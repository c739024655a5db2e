// SPDX-License-Identifier: MIT

public import Bytes
public import Files

/// Work on a file that is no photo, such as a video that is coded anew. A batch does one such job at a time, for it has
/// threads of its own, and converts photos meanwhile.
public protocol FileJob: Sendable {
  /// What it is called in a plan, such as `transcode`.
  var name: String { get }

  /// What is said of a file for which it is not done, because photos are decoded in confined processes.
  var refusalWhenConfined: String { get }

  /// The file that an output is written into until it is whole.
  func unfinishedPath(of path: String) -> String

  /// Writes the output of a file.
  ///
  /// - Parameters:
  ///   - path: where the output goes.
  ///   - isStopped: asked now and then; where it answers yes, the job throws and leaves nothing.
  /// - Returns: what was written; `nil` where a file is there that stays.
  func write(
    _ source: any ByteSource, to path: String, onExists: OnExists,
    isStopped: @escaping @Sendable () -> Bool
  ) throws -> JobOutput?
}

/// A file that a job has written.
public struct JobOutput: Sendable {
  public var path: String
  public var bytes: Int
  public var warnings: [String]

  public init(path: String, bytes: Int, warnings: [String]) {
    self.path = path
    self.bytes = bytes
    self.warnings = warnings
  }
}
