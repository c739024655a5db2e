// SPDX-License-Identifier: MIT

/// How long an encoder looks for a smaller picture.
public enum StillSpeed: String, Hashable, Sendable, CaseIterable {
  /// One direction of each block is quantized.
  case fast
  /// A few directions of each block are quantized to compare them, and chroma counts in every decision.
  case medium
  /// More directions are, whatever they promise.
  case slow
}

/// How far the search goes.
struct SearchChoices: Hashable, Sendable {
  /// Whether blocks of 8 × 8 may be predicted in four parts.
  var partsSmallBlocks = true
  /// Whether blocks of 4 × 4 are tried without a transform, too.
  var skipsTransforms = false
  /// How many directions are quantized to compare them, 7 at most: of blocks of 4 × 4 and 8 × 8, and of larger ones. Where
  /// there are several, the likeliest is one more.
  var candidates = 1
  var largeCandidates = 1
  /// How much the Hadamard cost of a direction that is quantized may exceed the least, in 64ths of that.
  var tolerance: Int64 = 0
  /// Whether all three of the likeliest are.
  var triesAllLikely = false
  /// Whether chroma is coded with each block, and counts where it is decided how blocks are split and predicted.
  var countsChroma = false
  /// How many modes of chroma are quantized to compare them.
  var chromaCandidates = 1
  /// Whether each quarter of a coding tree block is searched with the contexts that the quarter before left.
  var rehearses = false
  /// Whether samples are made of every candidate that may be among the best two before costs are compared, and not only of
  /// those two after it; of chroma, too.
  var settlesAll = false
  /// What a block of 8 × 8 costs at least before four directions are tried.
  var dear: Int64
  /// The coarsest `qP` at which samples are made to compare costs (`EncodingTools.settle`). Smooth groups, whose quantizers are
  /// finer than those of the picture by four steps, are treated so at any.
  var settledQP: Int
  /// Whether blocks are split unasked where nothing is smooth (`QuantizerGroup`).
  var splitsBusyBlocks = true

  init(_ speed: StillSpeed) {
    switch speed {
    case .fast:
      // 13.7 squared steps.
      (dear, settledQP) = (900_000, 3)
      return
    case .medium:
      (candidates, largeCandidates, tolerance) = (3, 3, 32)
      (chromaCandidates, dear, settledQP) = (2, 400_000, 10)
    case .slow:
      (candidates, largeCandidates, tolerance) = (7, 7, 1024)
      (chromaCandidates, dear, settledQP) = (3, 0, .max)
      triesAllLikely = true
      settlesAll = true
      splitsBusyBlocks = false
    }
    countsChroma = true
    rehearses = true
  }

  /// How many directions of a block are quantized, and how much the Hadamard cost of one may exceed the least, in 64ths of that.
  ///
  /// In gradients without noise all directions look alike before they are quantized, and one that leaves nothing to code may be
  /// anywhere among them: seven are tried at any speed, which takes an eighth off the bytes. Photos have hardly any.
  ///
  /// - Parameter isSmooth: what `QuantizerGroup` says.
  @inline(__always)
  func limits(_ log2: Int, isSmooth: Bool) -> (count: Int, tolerance: Int64) {
    if isSmooth { return (7, 1024) }
    return (log2 > 3 ? largeCandidates : candidates, tolerance)
  }

  /// Whether samples of a group are made to compare costs.
  ///
  /// - Parameters:
  ///   - qp: its `qP`.
  ///   - finer: how much finer that is than the quantizer of the picture.
  func settles(_ qp: Int, finer: Int) -> Bool { qp <= settledQP || finer >= 4 }
}
