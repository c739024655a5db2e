// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusFiles
import ApusForeign
import ApusMedia
import ApusSamples
import ApusStills
import ApusTranscode

/// A video of an export that is re-encoded or remuxed.
struct VideoJob: FileJob {
  let settings: TranscodeSettings
  let limits: Limits

  var name: String { settings.video.codecs == [.copy] ? "remux" : "transcode" }

  var refusalWhenConfined: String { "needs re-encoding, which --isolate does not allow" }

  func unfinishedPath(of path: String) -> String { path + ".part" }

  func write(
    _ source: any ByteSource, to path: String, onExists: OnExists,
    isStopped: @escaping @Sendable () -> Bool
  ) throws -> JobOutput? {
    var opening = MediaInput.Options()
    opening.limits = limits
    opening.openers = [ForeignOpener()]
    let media = try MediaInput.open(source, options: opening)
    var options = TranscodeJob.Options(.mp4)
    options.settings = settings
    // A movie that ends early must not get its name as if it were whole.
    options.step = { frame throws(MediaError) in
      guard !isStopped() else { throw MediaError(.misuse, "was stopped") }
      return frame
    }
    let job = try TranscodeJob(media, options: options)
    guard let written = try job.writeAndWait(to: path, onExists: onExists) else { return nil }
    let output = written.report.output
    return JobOutput(
      path: written.path, bytes: written.count,
      warnings: media.warnings + output.warnings + output.repairs
        + output.leftOut.map { "\($0.name) \($0.reason) and is left out" })
  }
}
