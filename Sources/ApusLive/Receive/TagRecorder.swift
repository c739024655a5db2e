// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
internal import ApusMedia
internal import FLV
internal import RTMP

/// Writes tags unchanged into an FLV file, from time 0 on, with times that never decrease.
struct TagRecorder<Sink: ByteSink> {
  private var writer: FLVWriter<Sink>
  private var times = TimeRepair()
  private var origin: Int64?
  private var last: Int64 = 0
  private var hasSound = false
  /// Whether frames of sound came with ADTS headers, which were removed.
  private(set) var hasADTS = false

  init(to sink: Sink) throws {
    writer = try FLVWriter(sink, header: FLVHeader(hasAudio: true, hasVideo: true))
  }

  mutating func add(_ tag: ReceivedTag) throws {
    if origin == nil, tag.type.isMedia { origin = tag.time }
    // The times of metadata are arbitrary.
    let time = tag.type.isMedia ? try repaired(tag, from: origin ?? tag.time) : last
    last = max(last, time)
    var data = tag.data
    if let header = adtsHeader(in: tag) {
      hasADTS = true
      data.removeSubrange(2..<2 + header.size)
      // Otherwise the frames that follow could not be decoded.
      if !hasSound {
        let config = try header.configuration.bytes()
        try writer.append(OutgoingTag(.audio, time: time, head: [data[0], 0] + config))
      }
    }
    if tag.type == .audio { hasSound = true }
    try writer.append(OutgoingTag(tag.type, time: time, head: data))
  }

  private mutating func repaired(_ tag: ReceivedTag, from origin: Int64) throws -> Int64 {
    try times.time(of: tag.header(), tag.packets(), max(0, tag.time - origin))
  }

  /// Reads the ADTS header that precedes a frame of AAC in a legacy audio tag; returns `nil` if there is none.
  private func adtsHeader(in tag: ReceivedTag) -> ADTSHeader? {
    let head = tag.data.span.extracting(0..<min(FLVTracks.Item.head, tag.data.count))
    guard tag.type == .audio, let packet = Packet(.audio, head, data: 0..<tag.data.count),
      packet.codec == .aac, packet.form == .legacy, packet.kind == .frames
    else { return nil }
    return ADTSHeader(on: head.extracting(2..<head.count), count: packet.data.count)
  }
}
