// SPDX-License-Identifier: MIT

/// The number of uses of each coding tool, for the coverage table of the tests.
public struct ToolUsage: Sendable {
  /// The number of slices after the first.
  public var slices = 0
  /// The number of dependent slice segments.
  public var dependentSlices = 0
  /// The number of tiles after the first.
  public var tiles = 0
  /// The number of rows whose contexts come from the row above.
  public var wavefronts = 0
  /// The number of coding units with four parts (`PART_NxN`).
  public var parted = 0
  /// The number of coding units in PCM.
  public var pcm = 0
  /// The number of coding units without transform and quantization (`cu_transquant_bypass_flag`).
  public var bypass = 0
  /// The number of residual blocks of each size.
  public var blocks4 = 0
  /// The number of residual blocks of 8 × 8 samples.
  public var blocks8 = 0
  /// The number of residual blocks of 16 × 16 samples.
  public var blocks16 = 0
  /// The number of residual blocks of 32 × 32 samples.
  public var blocks32 = 0
  /// The number of residual blocks with scaling lists.
  public var scalingLists = 0
  /// The number of residual blocks without transform (`transform_skip_flag`).
  public var transformSkip = 0
  /// The number of residual blocks without transform that are larger than 4 × 4.
  public var largeTransformSkip = 0
  /// The number of 4 × 4 blocks whose residual is rotated.
  public var rotation = 0
  /// The number of residual blocks with implicit RDPCM.
  public var implicitRDPCM = 0
  /// The number of residual blocks that are predicted from luma (cross-component prediction).
  public var crossComponent = 0
  /// The number of quantizer changes (`cu_qp_delta_abs`).
  public var qpDelta = 0
  /// The number of chroma quantizer offsets (`cu_chroma_qp_offset_flag`).
  public var chromaQPOffset = 0
  /// The number of signs that follow from parity (sign data hiding).
  public var hiddenSigns = 0
  /// The number of updates by persistent Rice adaptation.
  public var persistentRice = 0
  /// The number of components of coding tree blocks with band offsets.
  public var bandOffsets = 0
  /// The number of components of coding tree blocks with edge offsets.
  public var edgeOffsets = 0
  /// The number of coding tree blocks that merge their sample adaptive offset.
  public var mergedOffsets = 0
  /// The number of blocks whose reference samples had strong smoothing.
  public var strongSmoothing = 0

  public init() {}

  /// Adds the counts of another part of the picture.
  mutating func add(_ other: ToolUsage) {
    for tool in Self.all { self[keyPath: tool.count] += other[keyPath: tool.count] }
  }

  /// All counts with their names, as displayed by the tests.
  public static var all: [(name: String, count: WritableKeyPath<ToolUsage, Int>)] {
    [
      ("slices beside the first", \.slices), ("dependent slice segments", \.dependentSlices),
      ("tiles beside the first", \.tiles), ("contexts taken over from the row above", \.wavefronts),
      ("coding units of four parts", \.parted), ("PCM", \.pcm),
      ("cu_transquant_bypass_flag", \.bypass), ("residuals of 4 × 4", \.blocks4),
      ("residuals of 8 × 8", \.blocks8), ("residuals of 16 × 16", \.blocks16),
      ("residuals of 32 × 32", \.blocks32), ("scaling lists", \.scalingLists),
      ("transform skip", \.transformSkip), ("transform skip above 4 × 4", \.largeTransformSkip),
      ("rotation", \.rotation), ("implicit RDPCM", \.implicitRDPCM),
      ("cross-component prediction", \.crossComponent), ("cu_qp_delta_abs", \.qpDelta),
      ("cu_chroma_qp_offset_flag", \.chromaQPOffset), ("hidden signs", \.hiddenSigns),
      ("persistent Rice adaptation", \.persistentRice), ("band offsets", \.bandOffsets),
      ("edge offsets", \.edgeOffsets), ("merged offsets", \.mergedOffsets),
      ("strong smoothing", \.strongSmoothing),
    ]
  }
}
