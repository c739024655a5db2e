// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import FLV
import Glibc

@testable import ApusContainers
@testable import ApusLive
@testable import ApusSamples
@testable import RTMP

/// The tags of a file come as if over a connection: each kind of recording takes them, or says why not, and what was
/// taken can be made into a plain file.
func fuzz(_ bytes: [UInt8]) throws {
  let tags = tags(in: bytes)
  for target in [RemuxTarget.flv, .fmp4, .hevc] { try record(tags, as: target) }
}

private func tags(in bytes: [UInt8]) -> [ReceivedTag] {
  var stream = TagStream()
  stream.append(bytes.span)
  var clock = TagClock()
  var tags: [ReceivedTag] = []
  do throws(SyntaxError) {
    while let tag = try stream.next() {
      let message = Message(
        MessageType(rawValue: tag.header.type.rawValue), timestamp: tag.header.timestamp,
        payload: tag.data)
      if let received = ReceivedTag(message, clock: &clock) { tags.append(received) }
    }
  } catch {}
  return tags
}

private func record(_ tags: [ReceivedTag], as target: RemuxTarget) throws {
  let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
  let path = "\(folder)/\(getpid()).\(target.pathExtension)"
  guard let file = try GrowingFile(path, onExists: .replace) else { return }
  defer { file.remove() }
  let stream = IngestStream(try Recording(file, as: target), IngestState(), began: 0)
  do {
    for tag in tags {
      let repaired = try stream.look(at: tag)
      _ = stream.newFaults()
      try stream.record(repaired)
      _ = stream.forward(tag, repaired.time, at: 0)
      _ = stream.newFormat()
    }
  } catch {}
  _ = stream.repeatedFaults
  guard var recording = stream.recording.take() else { return }
  do { try recording.end() } catch {}
  try recording.flush()
  _ = recording.warnings
  guard recording.holdsSomething else { return }
  _ = try FinishedRecording(path: path, target: target).write()
}
