// SPDX-License-Identifier: MIT

/// A recorded track: the places of someone over time.
public struct RecordedTrack: Hashable, Sendable {
  struct Point: Hashable {
    /// The seconds since 1904, UTC.
    var time: UInt64
    var position: ExifPosition
  }

  /// The points in the order of time.
  private let points: [Point]
  /// The time between two points over which a place is interpolated, in seconds.
  private static let longestGap: UInt64 = 1800
  /// The time from a point for which its place still counts, in seconds.
  private static let longestStay: UInt64 = 300

  /// - Parameter points: at least one point.
  init(_ points: [Point]) { self.points = points.sorted { $0.time < $1.time } }

  /// Returns the place at a time, between two points no more than 30 minutes apart or within five minutes of one; `nil`
  /// if it is not known.
  ///
  /// - Parameter time: the seconds since 1904, UTC.
  public func position(at time: UInt64) -> ExifPosition? {
    var (low, high) = (0, points.count)
    while low < high {
      let middle = (low + high) / 2
      if points[middle].time < time { low = middle + 1 } else { high = middle }
    }
    let after = low < points.count ? points[low] : nil
    let before = low > 0 ? points[low - 1] : nil
    if let after, let before, after.time - before.time <= Self.longestGap {
      let part = Double(time - before.time) / Double(after.time - before.time)
      return Self.between(before.position, after.position, part)
    }
    let distances = [before.map { ($0, time - $0.time) }, after.map { ($0, $0.time - time) }]
    let nearest = distances.compactMap(\.self).min { $0.1 < $1.1 }
    return nearest.flatMap { $0.1 <= Self.longestStay ? $0.0.position : nil }
  }

  private static func between(_ start: ExifPosition, _ end: ExifPosition, _ part: Double)
    -> ExifPosition?
  {
    // The shorter way round the Earth.
    var turn = end.longitude - start.longitude
    if abs(turn) > 180 { turn -= turn > 0 ? 360 : -360 }
    var longitude = start.longitude + turn * part
    if abs(longitude) > 180 { longitude -= longitude > 0 ? 360 : -360 }
    let altitude = start.altitude.flatMap { low in end.altitude.map { low + ($0 - low) * part } }
    return ExifPosition(
      latitude: start.latitude + (end.latitude - start.latitude) * part, longitude: longitude,
      altitude: altitude)
  }
}
