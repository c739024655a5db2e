// SPDX-License-Identifier: MIT

internal import ApusMedia

/// Gaps in place of segments that could not be written.
extension LiveLine {
  /// Replaces each segment whose file is missing by a gap.
  ///
  /// - Parameter isMissing: returns whether no file of a name exists.
  mutating func leaveGaps(_ isMissing: (String) -> Bool) {
    for index in segments.indices where !segments[index].isGap && isMissing(segments[index].name) {
      segments[index] = .gap(instead: segments[index], number: mediaSequence + index)
    }
    // A gap needs no header, and names an existing one.
    guard let known = segments.first(where: { !isMissing($0.header) })?.header else {
      mediaSequence += segments.count
      discontinuitySequence += segments.filter(\.isDiscontinuous).count
      segments = []
      return
    }
    var header = known
    for index in segments.indices {
      if isMissing(segments[index].header) {
        segments[index].header = header
      } else {
        header = segments[index].header
      }
    }
  }

  /// Adds a gap with this duration.
  mutating func addGap(of microseconds: Int64) {
    guard var last = segments.last else { return }
    last.duration = RationalTime(microseconds, per: 1_000_000)
    (last.isDiscontinuous, last.date) = (false, nil)
    segments.append(.gap(instead: last, number: end))
  }

  /// Adds a gap in place of a segment that another track has.
  mutating func addGap(like other: Segment) {
    guard var last = segments.last else { return }
    last.duration = other.duration
    (last.isDiscontinuous, last.date) = (other.isDiscontinuous, other.date)
    segments.append(.gap(instead: last, number: end))
  }
}

extension LiveLine.Segment {
  /// The total duration of its parts, in microseconds.
  var span: Int64 { parts.reduce(0) { $0 + ($1.duration.rounded(to: 1_000_000) ?? 0) } }
}
