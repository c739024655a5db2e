// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import FLV
import HEVC
import TestSupport
import Testing

@testable import ApusLive
@testable import ApusSamples

/// Streams made by hand, whose pictures are nothing but the headers of their slices.
enum Handmade {
  /// The configuration of a file that another program wrote.
  static func record() throws -> DecoderConfigurationRecord {
    let source = try Fixture.source("enhanced.flv")
    var reader = try TagReader(source)
    while let tag = try reader.nextTag() {
      for packet in try reader.packets(of: tag)
      where packet.kind == .configuration && packet.codec == .hevc {
        return try DecoderConfigurationRecord(Extent(source, packet.data).bytes())
      }
    }
    throw SyntaxError(.invalid, field: "enhanced.flv", offset: 0, detail: "has no hvcC")
  }

  static func tracks(hasSound: Bool = true) throws -> [CodedTrack] {
    let video = CodedTrack(.video, .hevc(try record()), timescale: 1000)
    let audio = CodedTrack(.audio, .aac([0x12, 0x10]), timescale: 1000)
    return hasSound ? [video, audio] : [video]
  }

  /// Two tracks of video and two of sound, and one that no stream can have.
  static func manyTracks() throws -> [CodedTrack] {
    let subtitles = CodedTrack(.subtitle, .other("tx3g", []), timescale: 1000)
    return try tracks() + tracks() + [subtitles]
  }

  /// A slice of so many bytes with its length before it.
  static func picture(_ type: NALUnitType, temporalID: UInt8 = 0, size: Int = 100) -> [UInt8] {
    let length = [16, 8, 0].map { UInt8(truncatingIfNeeded: (size - 4) >> $0) }
    let header = [type.rawValue << 1, temporalID + 1]
    return [0] + length + header + [UInt8](repeating: 0x55, count: size - 6)
  }

  static func item(
    _ type: NALUnitType, _ milliseconds: Int64, temporalID: UInt8 = 0, size: Int = 100,
    track: Int = 0
  ) -> StreamItem {
    let payload = picture(type, temporalID: temporalID, size: size)
    let sample = CodedSample(
      track: track, decodeTime: .milliseconds(milliseconds), isSync: type.isIRAP,
      payload: Extent(payload))
    let role = ReferenceRole(hevc: payload.span, lengthSize: 4)
    return StreamItem(.sample(sample), picture: role, bytes: payload.count)
  }

  static func sound(_ milliseconds: Int64, size: Int = 20, track: Int = 1) -> StreamItem {
    let sample = CodedSample(
      track: track, decodeTime: .milliseconds(milliseconds), isSync: true,
      payload: Extent([UInt8](repeating: 0x21, count: size)))
    return StreamItem(.sample(sample), bytes: size)
  }

  /// A picture in a queue.
  static func queued(
    _ type: NALUnitType, _ milliseconds: Int64, temporalID: UInt8 = 0, size: Int = 100,
    track: Int = 0
  ) -> StreamItem {
    var item = item(type, milliseconds, temporalID: temporalID, size: size, track: track)
    item.time = milliseconds * 1_000_000
    return item
  }

  static func queuedSound(_ milliseconds: Int64, size: Int = 20) -> StreamItem {
    var item = sound(milliseconds, size: size)
    item.time = milliseconds * 1_000_000
    return item
  }
}

/// A source of what a test lists.
struct ListedSource: SampleSource {
  var tracks: [CodedTrack]
  private var events: [SourceEvent]

  init(_ tracks: [CodedTrack], _ items: [StreamItem]) {
    self.tracks = tracks
    events = items.map(\.event).reversed()
  }

  mutating func next() throws -> SourceEvent? { events.popLast() }
}
