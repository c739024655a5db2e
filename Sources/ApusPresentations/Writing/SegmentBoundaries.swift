// SPDX-License-Identifier: MIT

/// The times at which segments begin, in microseconds of the presentation.
enum SegmentBoundaries {
  /// Key frames whose times differ by less belong to the same moment: a container may have milliseconds only.
  static let tolerance: Int64 = 2000

  /// Returns boundaries, each at the last entrance that keeps a segment within `longest`, or at the next one where none
  /// does.
  ///
  /// - Parameter entrances: the possible times in ascending order.
  /// - Returns: the times at which all segments but the first begin.
  static func chosen(from entrances: [Int64], end: Int64, longest: Int64) -> [Int64] {
    var result: [Int64] = []
    var start = max(entrances.first ?? 0, 0)
    var candidate: Int64?
    for entrance in entrances where entrance > start {
      while entrance - start > longest + tolerance, let last = candidate {
        result.append(last)
        start = last
        candidate = nil
      }
      guard entrance > start else { continue }
      if entrance - start > longest + tolerance {
        result.append(entrance)
        start = entrance
      } else {
        candidate = entrance
      }
    }
    if end - start > longest + tolerance, let last = candidate { result.append(last) }
    return result
  }

  /// Returns the boundaries of sound: where the video has them, and evenly where audio continues much longer, or alone.
  static func even(after boundaries: [Int64], videoEnd: Int64, to end: Int64, each length: Int64)
    -> [Int64]
  {
    guard length > 0, end - videoEnd > length else { return boundaries }
    let first = videoEnd > 0 ? videoEnd : length
    return boundaries.filter { $0 < first }
      + Array(stride(from: first, to: end - tolerance, by: Int(length)))
  }

  /// Returns, for each track in its own times, the entrances that all of them have at the same moment.
  static func common(_ tracks: [[Int64]]) -> [[Int64]] {
    guard let first = tracks.first, tracks.count > 1 else { return tracks }
    var places = tracks.map { _ in 0 }
    var result: [[Int64]] = tracks.map { _ in [] }
    for time in first {
      for index in tracks.indices {
        while places[index] < tracks[index].count,
          tracks[index][places[index]] < time - tolerance
        { places[index] += 1 }
      }
      let all = tracks.indices.map { index in
        places[index] < tracks[index].count ? tracks[index][places[index]] : Int64.max
      }
      guard all.allSatisfy({ $0 <= time + tolerance }) else { continue }
      for index in tracks.indices { result[index].append(all[index]) }
    }
    return result
  }

  /// Returns the duration of the longest segment.
  static func longest(_ boundaries: [Int64], end: Int64) -> Int64 {
    var start: Int64 = 0
    var result: Int64 = 0
    for boundary in boundaries + [end] {
      result = max(result, boundary - start)
      start = boundary
    }
    return result
  }
}
