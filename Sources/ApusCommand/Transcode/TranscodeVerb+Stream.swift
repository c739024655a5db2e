// SPDX-License-Identifier: MIT

import ApusFiles
import ApusLive
import ApusSamples
import ApusTranscode

extension TranscodeVerb {
  /// Returns the verb that publishes the result in real time.
  func stream(to url: String, _ settings: TranscodeSettings) throws(UsageError) -> Stream {
    guard inputs.operands.count == 1, !inputs.several else {
      throw UsageError("a stream needs exactly one input")
    }
    guard !reports else {
      throw UsageError("--report decodes the output, which is not possible with a stream")
    }
    guard settings.ladder == nil else {
      throw UsageError("--ladder is not for streams, which have one rendition")
    }
    guard settings.video.passes == 1 else {
      throw UsageError("--passes 2 is not for streams, which are encoded in one pass")
    }
    guard format == nil || format == .flv else {
      throw UsageError("--format is not for streams, which are FLV over RTMP")
    }
    guard !output.dryRun else { throw UsageError("--dry-run is not for streams") }
    guard output.onExists == .skip else {
      throw UsageError("--on-exists is not for streams")
    }
    var stream = Stream()
    stream.input = inputs.operands[0]
    stream.words = [url]
    stream.dialect = dialect ?? .auto
    stream.coding = StreamCoding(settings)
    stream.login = login
    stream.trust = trust
    stream.json = json
    stream.limits = limits
    return stream
  }
}
