// SPDX-License-Identifier: MIT

internal import Bytes
internal import FLV
internal import Files
package import Flow
package import Media

/// Makes a plain file of a recording that is over: FLV with its length and an index, MP4 without fragments. It takes
/// the recording's place, or another, whole or not at all.
package struct FinishedRecording: Sendable {
  package var path: String
  var target: RemuxTarget
  /// The time, in the movie's own timeline, from which on it shows nothing.
  var end: RationalTime?

  package init(path: String, target: RemuxTarget, end: RationalTime? = nil) {
    self.path = path
    self.target = target
    self.end = end
  }

  /// Writes it in the recording's place. A byte stream and a movie in fragments are what they shall be already.
  ///
  /// - Returns: how many bytes the file has.
  package func write() throws -> Int {
    guard target != .hevc, target != .fmp4 else { return try FileSource(path).count }
    return try write(to: path, onExists: .replace)?.count ?? FileSource(path).count
  }

  /// - Returns: the path of the file and how many bytes it has; `nil` if an existing file is kept.
  func write(to path: String, onExists: OnExists) throws -> (path: String, count: Int)? {
    let source = try FileSource(self.path)
    guard let output = try FileOutput(path, onExists: onExists) else { return nil }
    var sink = output.writer
    if target == .flv {
      try FLVConverter(source).write(to: &sink)
    } else {
      var options = RemuxJob.Options(target)
      options.end = end
      _ = try RemuxJob(MediaInput.open(source), options: options).write(to: &sink)
    }
    return (try output.commit(), output.writer.count)
  }
}
