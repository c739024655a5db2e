// SPDX-License-Identifier: MIT

internal import Media

/// The parts of segments that are not whole yet.
extension LiveSession {
  /// Cuts segments into parts.
  ///
  /// - Parameters:
  ///   - limit: no part is longer, in microseconds; `nil` where the first one decides.
  ///   - firstNumber: of the parts of each track.
  func cutParts(limit: Int64?, firstNumber: Int) {
    guard let wanted = options.partDuration?.rounded(to: 1_000_000) else { return }
    cutter = PartCutter(limit: limit, wanted: wanted, nextNumber: firstNumber)
  }

  /// The first part of the track that leads says how long parts of all tracks are.
  func settleParts() {
    guard cutter != nil, partLimit == nil,
      let limit = writers.lazy.compactMap({ $0.cutter?.limit }).first
    else { return }
    partLimit = limit
    for place in writers.indices { writers[place].limitParts(to: limit) }
  }

  /// The number that the next part of a track gets that has had the most.
  var nextPartNumber: Int? { writers.compactMap(\.cutter?.nextNumber).max() }

  /// The parts of the segment that all tracks have next; `nil` where there are none.
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

  /// The part of a track that comes next.
  func nextPart(_ place: Int) -> String? {
    writers.indices.contains(place)
      ? writers[place].cutter.map { SegmentedPart.name($0.nextNumber) } : nil
  }

  /// Says of the first segment of the stream when it begins, and whether something else came before.
  func begin(_ segment: inout LiveLine.Segment, _ place: Int, _ date: (Int64) -> String) {
    guard given == 0 else { return }
    segment.isDiscontinuous = isDiscontinuous
    let begun = dates[place] ?? date(segment.parts.isEmpty ? segment.microseconds : segment.span)
    dates[place] = begun
    segment.date = begun
  }

  /// Gives a segment that is whole the parts that it was published as.
  func takeParts(of segment: inout LiveLine.Segment, _ place: Int) {
    let number = given - gaps[place]
    segment.parts = parts[place].filter { $0.segment == number }
    parts[place].removeAll { $0.segment == number }
  }
}
