// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ISOBMFF

/// The effect of a track's edit list on its times: ISO/IEC 14496-12, 8.6.6. Empty edits at its beginning delay the
/// track, and the first other edit says which media time is shown then.
struct MovieEdits {
  /// The number of units added to a media time.
  private(set) var shift: Int64 = 0
  /// The parts of the edit list that the times of samples do not express, as text.
  private(set) var losses: [String] = []

  /// - Parameter rows: the edit list of the track.
  init(_ rows: [EditList.Edit], of track: Track) throws {
    let empty = rows.prefix { $0.mediaTime == -1 }
    let edits = rows.dropFirst(empty.count)
    var delay: UInt64 = 0
    for edit in empty {
      let (sum, overflow) = delay.addingReportingOverflow(edit.segmentDuration)
      guard !overflow else { throw Self.failure(track, "segment_duration", "is beyond 2^64") }
      delay = sum
    }
    if delay > 0 {
      guard let value = Int64(exactly: delay), track.movieTimescale > 0,
        let units = RationalTime(value, per: track.movieTimescale).rounded(to: track.timescale)
      else { throw Self.failure(track, "segment_duration", "of \(delay) is not a time") }
      shift = units
    }
    guard let edit = edits.first else { return }
    guard edit.mediaTime >= 0 else {
      throw Self.failure(track, "media_time", "is \(edit.mediaTime), allowed are -1 and more")
    }
    let (difference, overflow) = shift.subtractingReportingOverflow(edit.mediaTime)
    guard !overflow else {
      throw Self.failure(track, "media_time", "of \(edit.mediaTime) is not a time")
    }
    shift = difference
    if edits.count > 1 {
      losses.append(
        "\(track.path): its edit list has \(edits.count) parts; samples follow each other as they "
          + "are stored")
    }
    if edits.contains(where: { $0.mediaRateInteger != 1 || $0.mediaRateFraction != 0 }) {
      losses.append("\(track.path): the speed that its edit list asks for is not applied")
    }
  }

  private static func failure(_ track: Track, _ field: String, _ detail: String) -> MediaError {
    MediaError(.invalid, of: .part(field), detail, at: .byte(nil, in: track.path + "/edts/elst"))
  }
}
