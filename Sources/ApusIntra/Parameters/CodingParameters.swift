// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import HEVC

/// The parameters for decoding derived from a sequence and a picture parameter set, checked: ITU-T H.265, 7.4.3.2 and
/// 7.4.3.3.
struct CodingParameters: Sendable {
  let width: Int
  let height: Int
  /// The value of `ChromaArrayType`, 0 to 3.
  let chroma: Int
  /// The number of bits by which a luma coordinate is shifted for the chroma planes.
  let chromaShiftX: Int
  let chromaShiftY: Int
  let bitDepth: Int
  /// The displayed part of the picture.
  let window: PixelRect

  let ctbLog2: Int
  let minCodingBlockLog2: Int
  let minTransformLog2: Int
  let maxTransformLog2: Int
  let maxTransformDepth: Int

  let pcm: PCM?
  let hasSampleAdaptiveOffset: Bool
  let hasStrongSmoothing: Bool
  let range: SequenceRangeExtension

  let hidesSigns: Bool
  let initialQP: Int
  let hasTransformSkip: Bool
  let maxTransformSkipLog2: Int
  let hasQPDelta: Bool
  let qpDeltaGroupLog2: Int
  let cbQPOffset: Int
  let crQPOffset: Int
  let hasTransquantBypass: Bool
  let hasCrossComponent: Bool
  /// The offsets of the lists in the picture parameter set; empty without lists.
  let chromaQPOffsets: [PictureRangeExtension.ChromaQPOffset]
  let chromaQPOffsetGroupLog2: Int
  let saoShiftLuma: Int
  let saoShiftChroma: Int
  let usesWavefronts: Bool
  let hasDependentSlices: Bool
  let filtersAcrossTiles: Bool
  let layout: CTBLayout
  /// The scaling factors; `nil` if all are 16.
  let scaling: ScalingFactors?

  struct PCM: Hashable, Sendable {
    let bitDepthLuma: Int
    let bitDepthChroma: Int
    let log2Sizes: ClosedRange<Int>
    let isUnfiltered: Bool
  }

  init(_ sps: SequenceParameterSet, _ pps: PictureParameterSet, pixelLimit: Int)
    throws(MediaError)
  {
    try Self.refuse(sps, pps)
    let format = sps.format
    width = Int(format.picWidthInLumaSamples)
    height = Int(format.picHeightInLumaSamples)
    chroma = Int(format.chromaArrayType)
    chromaShiftX = chroma == 1 || chroma == 2 ? 1 : 0
    chromaShiftY = chroma == 1 ? 1 : 0
    bitDepth = format.bitDepthLuma
    range = sps.extensions.range

    let coding = sps.coding
    ctbLog2 = Int(coding.ctbLog2Size)
    minCodingBlockLog2 = Int(coding.log2MinLumaCodingBlockSizeMinus3) + 3
    minTransformLog2 = Int(coding.log2MinLumaTransformBlockSizeMinus2) + 2
    maxTransformLog2 = minTransformLog2 + Int(coding.log2DiffMaxMinLumaTransformBlockSize)
    maxTransformDepth = Int(coding.maxTransformHierarchyDepthIntra)
    let side = 1 << minCodingBlockLog2
    guard (4...6).contains(ctbLog2), minTransformLog2 < minCodingBlockLog2,
      maxTransformLog2 <= min(ctbLog2, 5), maxTransformDepth <= ctbLog2 - minTransformLog2
    else { throw Self.invalid("block sizes that do not fit each other") }
    guard (1...0xffff).contains(width), (1...0xffff).contains(height), width % side == 0,
      height % side == 0
    else {
      throw Self.invalid("a size of \(width)x\(height), which is no multiple of \(side)")
    }
    guard width <= pixelLimit / height else {
      throw MediaError(
        .limit, "announces \(width) × \(height) samples, where \(pixelLimit) are allowed")
    }
    let sampling = format.chromaSampling
    let shown = format.displaySize ?? PixelSize(width: width, height: height)
    window = PixelRect(
      x: sampling.width * Int(format.conformanceWindow.leftOffset),
      y: sampling.height * Int(format.conformanceWindow.topOffset), width: shown.width,
      height: shown.height)
    guard window.maxX <= width, window.maxY <= height else {
      throw Self.invalid("a conformance window outside the picture")
    }
    pcm = try Self.pcm(coding, ctbLog2, minCodingBlockLog2, bitDepth)
    hasSampleAdaptiveOffset = coding.sampleAdaptiveOffsetEnabledFlag
    hasStrongSmoothing = sps.strongIntraSmoothingEnabledFlag

    hidesSigns = pps.signDataHidingEnabledFlag
    initialQP = 26 + Int(pps.initQPMinus26)
    hasTransformSkip = pps.transformSkipEnabledFlag
    let extra = pps.extensions.range
    maxTransformSkipLog2 = Int(extra.log2MaxTransformSkipBlockSizeMinus2) + 2
    hasQPDelta = pps.cuQPDeltaEnabledFlag
    qpDeltaGroupLog2 = ctbLog2 - Int(pps.diffCUQPDeltaDepth)
    chromaQPOffsetGroupLog2 = ctbLog2 - Int(extra.diffCUChromaQPOffsetDepth)
    guard min(qpDeltaGroupLog2, chromaQPOffsetGroupLog2) >= minCodingBlockLog2 else {
      throw Self.invalid("quantization groups below the smallest coding block")
    }
    cbQPOffset = Int(pps.ppsCBQPOffset)
    crQPOffset = Int(pps.ppsCRQPOffset)
    hasTransquantBypass = pps.transquantBypassEnabledFlag
    hasCrossComponent = extra.crossComponentPredictionEnabledFlag && chroma == 3
    chromaQPOffsets = extra.chromaQPOffsetListEnabledFlag ? extra.chromaQPOffsets : []
    saoShiftLuma = Int(extra.log2SAOOffsetScaleLuma)
    saoShiftChroma = Int(extra.log2SAOOffsetScaleChroma)
    guard max(saoShiftLuma, saoShiftChroma) <= max(0, bitDepth - 10) else {
      throw Self.invalid("sample adaptive offsets beyond the bit depth")
    }
    usesWavefronts = pps.entropyCodingSyncEnabledFlag
    hasDependentSlices = pps.dependentSliceSegmentsEnabledFlag
    filtersAcrossTiles = !pps.tilesEnabledFlag || pps.tiles.loopFilterAcrossTilesEnabledFlag
    layout = try CTBLayout(width: width, height: height, log2: ctbLog2, pps)
    scaling = coding.scalingListEnabledFlag ? ScalingFactors(sps, pps, chroma: chroma) : nil
  }

  /// The lowest luma QP, as a positive number: `QpBdOffsetY`.
  var qpOffset: Int { 6 * (bitDepth - 8) }

  private static func invalid(_ what: String) -> MediaError {
    MediaError(.corrupt, "has parameter sets with \(what)")
  }

  /// Throws for features that are not supported.
  private static func refuse(_ sps: SequenceParameterSet, _ pps: PictureParameterSet)
    throws(MediaError)
  {
    let format = sps.format
    let range = sps.extensions.range
    let screen = sps.extensions.screenContent
    let usesScreenContent =
      screen.spsCurrPicRefEnabledFlag || screen.paletteModeEnabledFlag
      || screen.intraBoundaryFilteringDisabledFlag
      || pps.extensions.screenContent.residualAdaptiveColourTransformEnabledFlag
      || pps.extensions.screenContent.ppsCurrPicRefEnabledFlag
    let refusals: [(Bool, String)] = [
      (sps.nuhLayerID > 0, "a layer above the base"),
      (format.bitDepthLuma > 12, "samples of \(format.bitDepthLuma) bits"),
      (
        format.chromaArrayType != 0 && format.bitDepthLuma != format.bitDepthChroma,
        "luma of \(format.bitDepthLuma) and chroma of \(format.bitDepthChroma) bits"
      ),
      (format.separateColourPlaneFlag, "colour planes that are coded apart"),
      (range.extendedPrecisionProcessingFlag, "extended precision"),
      (range.cabacBypassAlignmentEnabledFlag, "aligned bypass bins"),
      (usesScreenContent, "screen content coding"),
      (
        pps.tilesEnabledFlag && pps.entropyCodingSyncEnabledFlag,
        "tiles and wavefronts at once"
      ),
    ]
    guard let refusal = refusals.first(where: \.0) else { return }
    // Profiles of version 1 have none of these except different depths: if one is on, a bit of the sets is wrong.
    let profile = sps.profileTierLevel.general.profileIDC
    let mayHaveDepths = profile == 2 && max(format.bitDepthLuma, format.bitDepthChroma) <= 10
    guard sps.nuhLayerID > 0 || !(1...3).contains(profile) || mayHaveDepths else {
      throw invalid("\(refusal.1), which the profile \(profile) does not allow")
    }
    throw MediaError(codedWith: refusal.1)
  }

  private static func pcm(
    _ coding: SequenceCodingTools, _ ctbLog2: Int, _ minCodingBlockLog2: Int, _ bitDepth: Int
  ) throws(MediaError) -> PCM? {
    guard coding.pcmEnabledFlag else { return nil }
    let least = Int(coding.log2MinPCMLumaCodingBlockSizeMinus3) + 3
    let most = least + Int(coding.log2DiffMaxMinPCMLumaCodingBlockSize)
    let luma = Int(coding.pcmSampleBitDepthLumaMinus1) + 1
    let chroma = Int(coding.pcmSampleBitDepthChromaMinus1) + 1
    guard least >= min(minCodingBlockLog2, 5), most <= min(ctbLog2, 5),
      max(luma, chroma) <= bitDepth
    else { throw invalid("PCM blocks that do not fit") }
    return PCM(
      bitDepthLuma: luma, bitDepthChroma: chroma, log2Sizes: least...most,
      isUnfiltered: coding.pcmLoopFilterDisabledFlag)
  }
}
