// SPDX-License-Identifier: MIT

internal import ApusMedia

/// Converts the times of a track's media to those of the presentation.
struct MediaClock: Sendable {
  let timescale: UInt32
  /// The number that the edit list adds to a media time.
  let shift: Int64
  /// The number of units by which decoding is moved forward, so that no composition offset is below 0.
  let lead: Int64
  /// The path of the track, for errors.
  let path: String

  /// Returns the decoding time of a sample in the presentation.
  func decoding(_ time: Int64) throws -> RationalTime { try moved(time, earlier: lead) }

  /// Returns the presentation time of a sample.
  func presentation(_ time: Int64) throws -> RationalTime { try moved(time, earlier: 0) }

  private func moved(_ time: Int64, earlier lead: Int64) throws -> RationalTime {
    let (sum, overflow) = time.addingReportingOverflow(shift)
    let (result, beyond) = sum.subtractingReportingOverflow(lead)
    guard !overflow, !beyond, result.magnitude < 1 << 62 else {
      throw MediaError(
        .invalid, of: .part("media_time"), "moves samples beyond 2^62", at: .byte(nil, in: path))
    }
    return RationalTime(result, per: timescale)
  }
}
