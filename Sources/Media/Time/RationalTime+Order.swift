// SPDX-License-Identifier: MIT

extension RationalTime {
  /// Whether it is earlier, exactly, whatever the units are.
  public func isBefore(_ other: RationalTime) -> Bool {
    let mine = value.multipliedFullWidth(by: Int64(other.timescale))
    let others = other.value.multipliedFullWidth(by: Int64(timescale))
    return (mine.high, mine.low) < (others.high, others.low)
  }
}
