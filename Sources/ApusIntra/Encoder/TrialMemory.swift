// SPDX-License-Identifier: MIT

/// The trials of a search: four for each size of luma, and four for each size and component of chroma, so that the best
/// two of a block survive two more attempts.
@unsafe struct TrialMemory {
  private let trials: UnsafeMutablePointer<BlockTrial>

  private static let count = 3 * 4 * 4

  init(_ rates: LevelRates) {
    unsafe trials = .allocate(capacity: Self.count)
    for index in unsafe 0..<Self.count {
      unsafe (trials + index).initialize(to: BlockTrial(log2: 2 + index / 4 % 4, rates))
    }
  }

  func deallocate() {
    for index in unsafe 0..<Self.count { unsafe trials[index].deallocate() }
    unsafe trials.deallocate()
  }

  @inline(__always)
  func luma(_ log2: Int, _ slot: Int) -> BlockTrial { unsafe trials[(log2 &- 2) &* 4 &+ slot] }

  @inline(__always)
  func chroma(_ component: Int, _ log2: Int, _ slot: Int) -> BlockTrial {
    unsafe trials[component &* 16 &+ (log2 &- 2) &* 4 &+ slot]
  }

  /// Returns a slot other than these, each of which may be -1 for none.
  @inline(__always)
  static func free(_ one: Int, _ other: Int, _ third: Int = -1) -> Int {
    let taken = 1 &<< (one & 7) | 1 &<< (other & 7) | 1 &<< (third & 7)
    return (~taken).trailingZeroBitCount
  }
}
