// SPDX-License-Identifier: MIT

internal import Bytes
internal import Media

/// The stretch of the input that is wanted, and where its beginning lies in the output.
struct TimeWindow: Hashable, Sendable {
  var start: RationalTime?
  var end: RationalTime?
  /// Taken from all times.
  var origin = RationalTime(0, per: 1)

  func begins(after time: RationalTime) -> Bool { start.map { time.isBefore($0) } ?? false }
  func ends(by time: RationalTime) -> Bool { end.map { !time.isBefore($0) } ?? false }

  /// A time of the output.
  func moved(_ time: RationalTime) throws(SyntaxError) -> RationalTime {
    guard origin.value != 0 else { return time }
    let moved = origin.rounded(to: time.timescale).map {
      time.value.subtractingReportingOverflow($0)
    }
    guard let moved, !moved.overflow else {
      throw SyntaxError(
        .invalid, field: "time", offset: 0,
        detail: "of \(time.value)/\(time.timescale) s is beyond any stream")
    }
    return RationalTime(moved.partialValue, per: time.timescale)
  }
}
