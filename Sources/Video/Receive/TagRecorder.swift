// SPDX-License-Identifier: MIT

internal import Bytes
internal import FLV
internal import RTMP

/// Writes tags into an FLV file as they came, from 0 on, with times that only rise.
struct TagRecorder<Sink: ByteSink> {
  private var writer: FLVWriter<Sink>
  private var times = TimeRepair()
  private var origin: Int64?
  private var last: Int64 = 0

  init(to sink: Sink) throws(SyntaxError) {
    writer = try FLVWriter(sink, header: FLVHeader(hasAudio: true, hasVideo: true))
  }

  mutating func add(_ tag: ReceivedTag) throws(SyntaxError) {
    if origin == nil, tag.type.isMedia { origin = tag.time }
    // Metadata carry whatever time they like.
    let time =
      tag.type.isMedia ? times.time(of: tag.type, max(0, tag.time - (origin ?? tag.time))) : last
    last = max(last, time)
    try writer.append(OutgoingTag(tag.type, time: time, head: tag.data))
  }
}
