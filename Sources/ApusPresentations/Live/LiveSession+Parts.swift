// SPDX-License-Identifier: MIT

internal import ApusMedia

/// The parts of incomplete segments.
extension LiveSession {
  /// Divides segments into parts.
  ///
  /// - Parameters:
  ///   - limit: the longest duration of a part, in microseconds; `nil` where the first part determines it.
  ///   - firstNumber: the number of the first part of each track.
  func cutParts(limit: Int64?, firstNumber: Int) {
    guard let wanted = options.partDuration?.rounded(to: 1_000_000) else { return }
    cutter = PartCutter(limit: limit, wanted: wanted, nextNumber: firstNumber)
  }

  /// Sets the longest duration of parts in all tracks from the first part of the leading track.
  func settleParts() {
    guard cutter != nil, partLimit == nil,
      let limit = writers.lazy.compactMap({ $0.cutter?.limit }).first
    else { return }
    partLimit = limit
    for place in writers.indices { writers[place].limitParts(to: limit) }
  }

  /// The number after the highest one that a part of any track has had.
  var nextPartNumber: Int? { writers.compactMap(\.cutter?.nextNumber).max() }

  /// Returns the parts of the next segment of a track; `nil` if there are none.
  func growing(_ place: Int, _ date: (Int64) -> String) -> LiveLine.Segment? {
    let parts = parts[place].filter { $0.segment == given - gaps[place] }
    guard !parts.isEmpty else { return nil }
    var segment = LiveLine.Segment(
      name: "", header: header, duration: RationalTime(0, per: 1), size: 0, samples: 0,
      isIndependent: true)
    segment.parts = parts
    begin(&segment, place, date)
    return segment
  }

  /// Returns the next part of a track.
  func nextPart(_ place: Int) -> String? {
    writers.indices.contains(place)
      ? writers[place].cutter.map { SegmentedPart.name($0.nextNumber) } : nil
  }

  /// Sets the time of day of the first segment of the stream, and marks a discontinuity if another stream came before.
  func begin(_ segment: inout LiveLine.Segment, _ place: Int, _ date: (Int64) -> String) {
    guard given == 0 else { return }
    segment.isDiscontinuous = isDiscontinuous
    let begun = dates[place] ?? date(segment.parts.isEmpty ? segment.microseconds : segment.span)
    dates[place] = begun
    segment.date = begun
  }

  /// Adds to a complete segment the parts in which it was published.
  func takeParts(of segment: inout LiveLine.Segment, _ place: Int) {
    let number = given - gaps[place]
    segment.parts = parts[place].filter { $0.segment == number }
    parts[place].removeAll { $0.segment == number }
  }
}
