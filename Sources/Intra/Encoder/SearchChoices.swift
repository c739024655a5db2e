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
  /// Whether chroma is coded with each block, and counts where it is decided how blocks are split and predicted.
  var countsChroma = false
  /// How many modes of chroma are quantized to compare them.
  var chromaCandidates = 1
  /// Whether each quarter of a coding tree block is searched with the contexts that the quarter before left.
  var rehearses = false
  /// Whether signs are hidden before costs are compared.
  var hidesFirst = false
  /// What a block of 8 × 8 costs at least before four directions are tried.
  var dear: Int64

  init(_ speed: StillSpeed) {
    switch speed {
    case .fast:
      // Eleven squared steps.
      dear = 720_896
      return
    case .medium:
      (candidates, largeCandidates, tolerance) = (3, 2, 16)
      (chromaCandidates, dear) = (2, 400_000)
    case .slow:
      (candidates, largeCandidates, tolerance) = (7, 7, 1024)
      (chromaCandidates, dear) = (3, 0)
      hidesFirst = true
    }
    countsChroma = true
    rehearses = true
  }
}
