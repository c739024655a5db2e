// SPDX-License-Identifier: MIT

/// The effort that an encoder makes to reduce the size.
public enum StillSpeed: String, Hashable, Sendable, CaseIterable {
  /// One direction of each block is quantized.
  case fast
  /// A few directions of each block are quantized for comparison, and chroma counts in every decision.
  case medium
  /// More directions are quantized, even unpromising ones.
  case slow
}

/// The extent of the search.
struct SearchChoices: Hashable, Sendable {
  /// Whether blocks of 8 × 8 may be predicted in four parts.
  var partsSmallBlocks = true
  /// Whether blocks of 4 × 4 are also tried without a transform.
  var skipsTransforms = false
  /// The number of directions that are quantized for comparison, at most 7, in blocks of 4 × 4 and 8 × 8, and in larger
  /// ones. If there are several, the most probable mode is added.
  var candidates = 1
  var largeCandidates = 1
  /// The maximum excess of a quantized direction's Hadamard cost over the lowest, in 64ths of that.
  var tolerance: Int64 = 0
  /// Whether all three of the most probable modes are quantized.
  var triesAllLikely = false
  /// Whether chroma is coded with each block, and counts in decisions about splits and prediction.
  var countsChroma = false
  /// The number of chroma modes that are quantized for comparison.
  var chromaCandidates = 1
  /// Whether each quarter of a coding tree block is searched with the contexts after the previous quarter.
  var rehearses = false
  /// Whether every candidate for the best two is reconstructed before costs are compared, instead of only those two
  /// afterwards; this applies to chroma as well.
  var settlesAll = false
  /// The minimum cost of a block of 8 × 8 for trying four directions.
  var dear: Int64
  /// The coarsest `qP` at which blocks are reconstructed to compare costs (`EncodingTools.settle`). Smooth groups,
  /// whose quantizers are finer than those of the picture by four steps, always are.
  var settledQP: Int
  /// Whether blocks are always split if nothing in them is smooth (`QuantizerGroup`).
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

  /// Returns the number of directions of a block to quantize, and the maximum excess of their Hadamard cost over the
  /// lowest, in 64ths of that.
  ///
  /// In gradients without noise all directions look alike before they are quantized, and any of them may be one that
  /// leaves nothing to code: seven are tried at any speed, which saves an eighth of the bytes. Photos have hardly any
  /// such gradients.
  ///
  /// - Parameter isSmooth: the value in `QuantizerGroup`.
  @inline(__always)
  func limits(_ log2: Int, isSmooth: Bool) -> (count: Int, tolerance: Int64) {
    if isSmooth { return (7, 1024) }
    return (log2 > 3 ? largeCandidates : candidates, tolerance)
  }

  /// Returns whether the blocks of a group are reconstructed to compare costs.
  ///
  /// - Parameters:
  ///   - qp: the `qP` of the group.
  ///   - finer: the difference to the coarser quantizer of the picture.
  func settles(_ qp: Int, finer: Int) -> Bool { qp <= settledQP || finer >= 4 }
}
