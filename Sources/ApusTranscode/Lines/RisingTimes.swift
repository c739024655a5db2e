// SPDX-License-Identifier: MIT

internal import ApusMedia

/// Repairs times of pictures that do not increase.
struct RisingTimes: Sendable {
  /// The number of times that were wrong.
  private(set) var count = 0
  private var last: Int64?
  private var step: Int64 = 1

  /// Returns a time, in the units of all of them, that is later than the previous one: by half a picture if it was not.
  mutating func repaired(_ time: Int64) -> Int64 {
    guard let last else {
      self.last = time
      return time
    }
    guard time <= last else {
      step = time &- last
      self.last = time
      return time
    }
    count += 1
    let time = last &+ max(step / 2, 1)
    self.last = time
    return time
  }
}
