// SPDX-License-Identifier: MIT

import Files
import Flow
import Live
import Transcode

extension TranscodeVerb {
  /// The verb that publishes what is coded as fast as it is played.
  func stream(to url: String, _ settings: TranscodeSettings) throws(UsageError) -> Stream {
    guard inputs.operands.count == 1, !inputs.several else {
      throw UsageError("a stream is made of one input")
    }
    guard !reports else {
      throw UsageError("--report decodes what was written, and a stream leaves nothing")
    }
    guard settings.ladder == nil else {
      throw UsageError("a stream has one rendition: no --ladder")
    }
    guard settings.video.passes == 1 else {
      throw UsageError("a stream is coded as it goes, in one pass: no --passes 2")
    }
    guard format == nil || format == .flv else {
      throw UsageError("a stream over RTMP is flv: no --format")
    }
    guard !output.dryRun else { throw UsageError("a stream has no --dry-run") }
    guard output.onExists == .skip else {
      throw UsageError("a stream takes no file's place: no --on-exists")
    }
    var stream = Stream()
    stream.input = inputs.operands[0]
    stream.words = [url]
    stream.dialect = dialect ?? .auto
    stream.coding = StreamCoding(settings)
    stream.trust = trust
    stream.json = json
    stream.limits = limits
    return stream
  }
}
