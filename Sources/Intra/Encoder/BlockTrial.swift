// SPDX-License-Identifier: MIT

internal import CPixel

/// A block as it would be coded: predicted, transformed and quantized, but not yet reconstructed. One for each size, which
/// keeps what its reconstruction needs until a decision is made.
@unsafe struct BlockTrial {
  let log2: Int
  let prediction: UnsafeMutablePointer<UInt16>
  let levels: UnsafeMutablePointer<Int16>
  /// The samples that decoders make of it, once it is settled.
  let made: UnsafeMutablePointer<UInt16>
  let decision: LevelDecision
  private let memory: UnsafeMutableRawPointer

  init(log2: Int, _ rates: LevelRates) {
    unsafe self.log2 = log2
    unsafe memory = .allocate(byteCount: 6144, alignment: 32)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: 6144)
    unsafe prediction = memory.assumingMemoryBound(to: UInt16.self)
    unsafe levels = (memory + 2048).assumingMemoryBound(to: Int16.self)
    unsafe made = (memory + 4096).assumingMemoryBound(to: UInt16.self)
    unsafe decision = LevelDecision(rates)
  }

  func deallocate() {
    unsafe memory.deallocate()
    unsafe decision.deallocate()
  }
}

/// What the levels of a block came to.
struct TrialResult {
  var mode = 0
  /// Which of the trials of its size holds it.
  var slot = -1
  var scan = 0
  /// The last sub-block with levels before the decision.
  var lastGroup = -1
  /// The place of the last level, -1 without any.
  var last = -1
  var cost = Int64.max
  /// Whether signs are hidden, and what that costs is counted.
  var isHidden = false
  /// What leaving out all that is quantized to nothing costs.
  var error: Int64 = 0
  /// Whether its samples are made, and their error is in the cost instead of that of the coefficients.
  var isSettled = false
  /// Sub-blocks that are expected to hide a sign.
  var hidden = 0
  /// Whether the differences are quantized as they are.
  var skipsTransform = false

  /// The number that `CTBStore` keeps.
  var stored: Int16 { Int16(truncatingIfNeeded: skipsTransform ? last &+ 16 : last) }
}
