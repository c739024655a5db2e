// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFiles
package import ApusMedia
package import ApusSamples
internal import FLV

/// Makes a plain file of a finished recording: FLV with its duration and an index, MP4 without fragments. The file
/// replaces the recording, or goes to another path, whole or not at all.
package struct FinishedRecording: Sendable {
  package var path: String
  var target: RemuxTarget
  /// The time, in the movie's own timeline, after which it shows nothing.
  var end: RationalTime?

  package init(path: String, target: RemuxTarget, end: RationalTime? = nil) {
    self.path = path
    self.target = target
    self.end = end
  }

  /// Writes the file over the recording. Byte streams and movies in fragments need no finishing and are left unchanged.
  ///
  /// - Returns: the size of the file in bytes.
  package func write() throws -> Int {
    guard target != .hevc, target != .fmp4 else { return try FileSource(path).count }
    return try write(to: path, onExists: .replace)?.count ?? FileSource(path).count
  }

  /// - Returns: the path of the file and its size in bytes; `nil` if an existing file is kept.
  func write(to path: String, onExists: OnExists) throws -> (path: String, count: Int)? {
    let source = try FileSource(self.path)
    guard let output = try FileOutput(path, onExists: onExists) else { return nil }
    var sink = output.writer
    if target == .flv {
      try FLVConverter(source).write(to: &sink)
    } else {
      var options = RemuxJob.Options(target)
      options.end = end
      _ = try RemuxJob(MediaInput.open(source), options: options).writeAndWait(to: &sink)
    }
    return (try output.commit(), output.writer.count)
  }
}
