// SPDX-License-Identifier: MIT

internal import Media

/// Makes times of pictures rise that do not.
struct RisingTimes: Sendable {
  /// How many times were wrong.
  private(set) var count = 0
  private var last: Int64?
  private var step: Int64 = 1

  /// A time in the units of all of them, later than the one before: half a picture where it was not.
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
