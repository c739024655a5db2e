// SPDX-License-Identifier: MIT

/// Counts bytes that do not belong to any part of a container.
struct StrayBytes: Sendable {
  private(set) var count = 0
  private var first = 0
  private var places = 0
  private var last = -1

  mutating func add(_ offset: Int) {
    if count == 0 { first = offset }
    if offset != last + 1 || count == 0 { places += 1 }
    count += 1
    last = offset
  }

  /// - Parameter part: the name of the parts to which they do not belong.
  func words(_ part: String) -> String? {
    guard count > 0 else { return nil }
    let what = count == 1 ? "1 byte belongs" : "\(count) bytes belong"
    let place =
      places == 1 ? "at byte \(first)" : "in \(places) places, the first at byte \(first)"
    return "\(what) to no \(part), \(place)"
  }
}
