// SPDX-License-Identifier: MIT

import ApusBytes
import ISOBMFF
import Testing

/// A sample in short: when it is decoded, how much later it is shown, and whether decoding can begin there.
struct ShortSample: Sendable {
  var time: Int64
  var offset: Int64
  var isSync: Bool
  var duration: Int64?
  var size: Int

  init(
    _ time: Int64, _ offset: Int64 = 0, sync: Bool = true, lasting duration: Int64? = nil,
    size: Int = 3
  ) {
    self.time = time
    self.offset = offset
    self.isSync = sync
    self.duration = duration
    self.size = size
  }

  /// With bytes that no other has.
  func sample(number: Int) -> NewSample {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: number &* 7 &+ $0) }
    var sample = NewSample(at: time, Extent(bytes))
    sample.compositionOffset = offset
    sample.isSync = isSync
    sample.duration = duration
    return sample
  }
}

/// Tracks of a test, in milliseconds, the first of video.
func tracks(_ count: Int, timescales: [UInt32] = []) -> [NewTrack] {
  (0..<count).map { index in
    var track = NewTrack(
      index == 0 ? "vide" : "soun", timescale: index < timescales.count ? timescales[index] : 1000)
    let type: FourCC = index == 0 ? "hvc1" : "mp4a"
    track.sampleEntries =
      index == 0 ? [Node(type, VisualSampleEntry())] : [Node(type, AudioSampleEntry())]
    return track
  }
}

/// A file that was written, read again.
struct WrittenMovie {
  let bytes: [UInt8]
  let tree: BoxTree
  let movie: Movie

  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    tree = try BoxTree(reading: MemorySource(bytes))
    movie = Movie(tree)
    #expect(tree.findings.isEmpty)
    #expect(try tree.bytes() == bytes)
  }

  func samples(_ track: Int = 0) throws -> [TrackSample] {
    var cursor = movie.tracks[track].samples()
    var found: [TrackSample] = []
    while let sample = try cursor.next() { found.append(sample) }
    return found
  }

  /// `media_time for segment_duration` of each edit.
  func edits(_ track: Int = 0) throws -> String {
    try movie.tracks[track].edits().map { "\($0.mediaTime) for \($0.segmentDuration)" }
      .joined(separator: ", ")
  }

  func content(of sample: TrackSample) -> [UInt8] { Array(bytes[sample.range]) }
}
