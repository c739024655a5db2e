// SPDX-License-Identifier: MIT

internal import CApusPixel

/// A block in its coded form: predicted, transformed and quantized, but not yet reconstructed. There is one for each
/// size, which keeps the data for its reconstruction until a decision is made.
@unsafe struct BlockTrial {
  let log2: Int
  let prediction: UnsafeMutablePointer<UInt16>
  let levels: UnsafeMutablePointer<Int16>
  /// The reconstructed samples of the block, once it is settled.
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

/// The result of quantizing a block.
struct TrialResult {
  var mode = 0
  /// The index of the trial of its size that contains the result; -1 for none.
  var slot = -1
  var scan = 0
  /// The last sub-block with levels before the decision.
  var lastGroup = -1
  /// The position of the last level, -1 if there is none.
  var last = -1
  var cost = Int64.max
  /// Whether signs are hidden, and the cost of hiding them is included.
  var isHidden = false
  /// The error of the coefficients that are quantized to zero.
  var error: Int64 = 0
  /// Whether the block is reconstructed, so that the cost includes the error of its samples instead of that of the
  /// coefficients.
  var isSettled = false
  /// The sub-blocks that are expected to hide a sign.
  var hidden = 0
  /// Whether the differences are quantized without a transform.
  var skipsTransform = false

  /// The value to store in `CTBStore`.
  var stored: Int16 { Int16(truncatingIfNeeded: skipsTransform ? last &+ 16 : last) }
}
