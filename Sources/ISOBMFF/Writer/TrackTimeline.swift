// SPDX-License-Identifier: MIT

internal import Bytes
internal import Media

/// How the times of a track become those of the movie (`elst`): ISO/IEC 14496-12, 8.6.6.
struct TrackTimeline: Sendable {
  /// Media time at which the presentation of the track begins.
  var mediaStart: Int64 = 0
  /// In the movie's timescale: how long nothing is shown before that.
  var delay: UInt64 = 0
  /// In the movie's timescale: how long the track is shown; 0 in a fragmented file, where nobody knows.
  var shown: UInt64 = 0

  var duration: UInt64 { delay + shown }

  /// `nil` where the media is shown as it is.
  var edits: Node? {
    guard mediaStart != 0 || delay > 0 else { return nil }
    var list = EditList()
    if delay > 0 {
      var edit = EditList.Edit()
      edit.segmentDuration = delay
      edit.mediaTime = -1
      list.entries.append(edit)
    }
    var edit = EditList.Edit()
    edit.segmentDuration = shown
    edit.mediaTime = mediaStart
    list.entries.append(edit)
    if list.entries.contains(where: { $0.segmentDuration > UInt32.max || $0.mediaTime > Int32.max })
    {
      list.header.version = 1
    }
    return Node("edts", [Node("elst", list)])
  }

  /// The time at which the movie begins: the first presentation of any track, or 0 where some samples lie
  /// before it, which are then decoded and not shown. Where all do, it is again the first presentation.
  static func origin(of tracks: [(start: RationalTime, end: RationalTime)]) -> RationalTime? {
    guard var first = tracks.first?.start else { return nil }
    for track in tracks where track.start.isBefore(first) { first = track.start }
    let zero = RationalTime(0, per: 1)
    return first.isBefore(zero) && tracks.contains { zero.isBefore($0.end) } ? zero : first
  }

  /// Units of a second for the movie: all times of the tracks are exact in it where one of a million units
  /// does that.
  static func timescale(of tracks: [UInt32]) -> UInt32 {
    var common: UInt64 = 1
    for timescale in tracks {
      let unit = UInt64(timescale)
      common = common / greatestCommonDivisor(common, unit) * unit
      if common > 1_000_000 { return tracks.max() ?? 1000 }
    }
    return UInt32(common < 600 ? common * (600 / common + 1) : common)
  }

  private static func greatestCommonDivisor(_ a: UInt64, _ b: UInt64) -> UInt64 {
    b == 0 ? max(a, 1) : greatestCommonDivisor(b, a % b)
  }
}
