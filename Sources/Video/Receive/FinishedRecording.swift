// SPDX-License-Identifier: MIT

internal import Bytes
internal import FLV
internal import Files

/// Makes a plain file of a recording that is over: FLV with its length and an index, MP4 without fragments. It takes
/// the recording's place whole or not at all.
struct FinishedRecording: Sendable {
  var path: String
  var target: RemuxTarget

  /// - Returns: how many bytes the file has.
  func write() throws -> Int {
    let source = try FileSource(path)
    guard target != .hevc else { return source.count }
    guard let output = try FileOutput(path, onExists: .replace) else { return source.count }
    var sink = output.writer
    if target == .flv {
      try FLVConverter(source).write(to: &sink)
    } else {
      _ = try RemuxJob(MediaInput.open(source), options: RemuxJob.Options(target)).write(to: &sink)
    }
    try output.commit()
    return output.writer.count
  }
}
