// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusX265

/// The settings of x265 with the names of its command line, and their values in a set of parameters.
enum X265Options {
  @unsafe static func all(_ p: x265_param) -> [CodecOption] {
    unsafe rates(p) + structure(p) + tools(p) + searches(p) + signalling(p)
  }

  private static func flag(_ name: String, _ value: Int32, _ purpose: String) -> CodecOption {
    CodecOption(name, .flag, standard: value == 0 ? "false" : "true", purpose: purpose)
  }

  /// - Parameter range: the range of values; `nil` if the library accepts any.
  private static func whole(
    _ name: String, _ value: some BinaryInteger, _ range: (any WholeBounds)?, _ purpose: String
  ) -> CodecOption {
    CodecOption(
      name, .integer, standard: "\(value)", least: range?.least.map { "\($0)" },
      greatest: range?.greatest.map { "\($0)" }, purpose: purpose)
  }

  private static func number(
    _ name: String, _ value: Double, _ range: ClosedRange<Double>?, _ purpose: String
  ) -> CodecOption {
    CodecOption(
      name, .number, standard: "\(Float(value))", least: range.map { "\(Float($0.lowerBound))" },
      greatest: range.map { "\(Float($0.upperBound))" }, purpose: purpose)
  }

  private static func size(
    _ name: String, _ value: UInt32, _ choices: [String], _ purpose: String
  ) -> CodecOption {
    CodecOption(name, .integer, standard: "\(value)", choices: choices, purpose: purpose)
  }

  @unsafe private static func rates(_ p: x265_param) -> [CodecOption] {
    unsafe [
      number(
        "crf", p.rc.rfConstant, 0...51,
        "constant quality, less being better; from -12 on with 10 bits, -24 with 12"),
      whole("bitrate", p.rc.bitrate, 0..., "average, in kbit/s"),
      number("crf-max", p.rc.rfConstantMax, 0...51, "with vbv, crf goes no higher"),
      number("crf-min", p.rc.rfConstantMin, 0...51, "with vbv, crf goes no lower"),
      whole("qp", p.rc.qp, 0...51, "constant quantizer of P pictures; from -12 on with 10 bits"),
      whole("qpmin", p.rc.qpMin, 0...69, "least quantizer"),
      whole("qpmax", p.rc.qpMax, 0...69, "greatest quantizer"),
      whole("qpstep", p.rc.qpStep, nil, "most that quantizers change from one picture to the next"),
      whole("cbqpoffs", p.cbQpOffset, -12...12, "what is added to the quantizers of Cb"),
      whole("crqpoffs", p.crQpOffset, -12...12, "what is added to the quantizers of Cr"),
      whole("vbv-maxrate", p.rc.vbvMaxBitrate, 0..., "greatest rate, in kbit/s"),
      whole("vbv-bufsize", p.rc.vbvBufferSize, 0..., "buffer of the decoder, in kbit"),
      number("qcomp", p.rc.qCompress, 0.5...1, "how much of a hard picture's rate is kept"),
      number("ipratio", p.rc.ipFactor, nil, "quantizers of I and P pictures to each other"),
      number("pbratio", p.rc.pbFactor, nil, "quantizers of P and B pictures to each other"),
      whole("aq-mode", p.rc.aqMode, 0...4, "how quantizers follow the picture; 0 not at all"),
      number("aq-strength", p.rc.aqStrength, 0...3, "how much they do"),
      number(
        "qp-adaptation-range", p.rc.qpAdaptationRange, 1...6, "how far, with hevc-aq"),
      flag("hevc-aq", p.rc.hevcAq, "quantizers as the reference encoder adapts them"),
      flag("aq-motion", p.bAQMotion, "quantizers follow motion"),
      flag("strict-cbr", p.rc.bStrictCbr, "no rate but the one that is asked for"),
      flag("rc-grain", p.rc.bEnableGrain, "quantizers that leave grain alone"),
      flag("const-vbv", p.rc.bEnableConstVbv, "the buffer is filled alike in every run"),
      flag("slow-firstpass", p.rc.bEnableSlowFirstPass, "a first pass that leaves nothing out"),
      size(
        "qg-size", p.rc.qgSize, ["8", "16", "32", "64"],
        "side of blocks with a quantizer of their own"),
      flag("cutree", p.rc.cuTree, "lower quantizers where later pictures refer to"),
      flag("lossless", p.bLossless, "no loss at all"),
    ]
  }

  @unsafe private static func structure(_ p: x265_param) -> [CodecOption] {
    unsafe [
      whole(
        "keyint", p.keyframeMax, (-1)..., "most pictures between key frames; -1 for one key frame"),
      whole("min-keyint", p.keyframeMin, nil, "fewest; 0 leaves it to keyint"),
      whole("scenecut", p.scenecutThreshold, 0..., "how readily a cut becomes a key frame"),
      flag("open-gop", p.bOpenGOP, "pictures may refer across key frames"),
      whole("bframes", p.bframes, 0...16, "most B pictures in a row"),
      whole("b-adapt", p.bFrameAdaptive, 0...2, "how their number is chosen; 0 not at all"),
      flag("b-pyramid", p.bBPyramid, "B pictures may be referred to"),
      whole(
        "ref", p.maxNumReferences, 1...16,
        "most pictures that one refers to; no level has room for 16"),
      whole(
        "rc-lookahead", p.lookaheadDepth, ...250,
        "pictures that are looked at ahead, more than bframes"),
      whole("gop-lookahead", p.gopLookahead, nil, "pictures by which a group grows to reach a cut"),
      number(
        "scenecut-bias", p.scenecutBias, 0...100, "share by which a cut must differ, in percent"),
      flag("fades", p.bEnableFades, "fades from black get a key frame"),
      whole("radl", p.radl, 0..., "leading pictures of an IDR picture that can be decoded"),
      whole("bframe-bias", p.bFrameBias, nil, "how much B pictures are preferred"),
      whole("lookahead-slices", p.lookaheadSlices, 0...16, "parts in which pictures are looked at"),
      whole("lookahead-threads", p.lookaheadThreads, nil, "threads that do nothing else"),
      whole("slices", p.maxSlices, nil, "slices in a picture"),
      flag(
        "temporal-layers", p.bEnableTemporalSubLayers,
        "pictures that none refers to on a layer of their own"),
      flag("intra-refresh", p.bIntraRefresh, "a moving column of intra blocks for key frames"),
      whole("frame-threads", p.frameNumThreads, 0...16, "pictures at once; 0 by the machine"),
      flag("wpp", p.bEnableWavefront, "rows of blocks at once"),
    ]
  }

  @unsafe private static func tools(_ p: x265_param) -> [CodecOption] {
    unsafe [
      size("ctu", p.maxCUSize, ["16", "32", "64"], "side of the largest block"),
      size("min-cu-size", p.minCUSize, ["8", "16", "32", "64"], "side of the smallest"),
      size("max-tu-size", p.maxTUSize, ["4", "8", "16", "32"], "side of the largest transform"),
      whole(
        "limit-tu", p.limitTU, 0...4, "how early the search for transforms of inter blocks ends"),
      whole("tu-intra-depth", p.tuQTMaxIntraDepth, 1...4, "levels of transforms in intra blocks"),
      whole("tu-inter-depth", p.tuQTMaxInterDepth, 1...4, "levels of transforms in others"),
      flag("rect", p.bEnableRectInter, "halved blocks"),
      flag("amp", p.bEnableAMP, "blocks halved unevenly"),
      flag("tskip", p.bEnableTransformSkip, "4x4 blocks without a transform"),
      flag("strong-intra-smoothing", p.bEnableStrongIntraSmoothing, "smoother large intra blocks"),
      flag(
        "constrained-intra", p.bEnableConstrainedIntra, "intra blocks lean on intra blocks alone"),
      flag("b-intra", p.bIntraInBFrames, "intra blocks in B pictures"),
      flag("signhide", p.bEnableSignHiding, "a sign for each block of coefficients is not written"),
      flag("cu-lossless", p.bCULossless, "blocks without loss where that costs less"),
      flag("temporal-mvp", p.bEnableTemporalMvp, "motion is predicted from other pictures"),
      flag(
        "sao-non-deblock", p.bSaoNonDeblocked,
        "sample adaptive offset from samples before deblocking"),
      flag("limit-sao", p.bLimitSAO, "sample adaptive offset of fewer kinds"),
      whole("selective-sao", p.selectiveSAO, 0...4, "for which slices it is on; 0 as sao says"),
      whole("nr-intra", p.noiseReductionIntra, 0...2000, "noise taken out of intra blocks"),
      whole("nr-inter", p.noiseReductionInter, 0...2000, "noise taken out of other blocks"),
      whole(
        "rdpenalty", p.rdPenalty, 0...2, "what 32x32 intra transforms cost more outside I pictures"),
      flag("deblock", p.bEnableLoopFilter, "edges of blocks are smoothed"),
      flag("sao", p.bEnableSAO, "sample adaptive offset"),
      flag("weightp", p.bEnableWeightedPred, "weights for P pictures"),
      flag("weightb", p.bEnableWeightedBiPred, "weights for B pictures"),
    ]
  }

  @unsafe private static func searches(_ p: x265_param) -> [CodecOption] {
    let searches = unsafe X265Facts.strings(apus_x265_names(3))
    let search = unsafe Int(p.searchMethod)
    return unsafe [
      CodecOption(
        "me", .choice, standard: searches.indices.contains(search) ? searches[search] : nil,
        choices: searches, purpose: "how motion is searched for"),
      whole("subme", p.subpelRefine, 0...7, "how finely between samples"),
      whole("merange", p.searchRange, 0...32767, "how far, in samples"),
      whole("max-merge", p.maxNumMergeCand, 1...5, "candidates to take motion over from"),
      whole("rd", p.rdLevel, 1...6, "how much is tried out"),
      whole("rdoq-level", p.rdoqLevel, 0...2, "quantization by cost; 0 not"),
      number("psy-rd", p.psyRd, 0...5, "how much detail counts against error"),
      number("psy-rdoq", p.psyRdoq, 0...50, "the same in quantization"),
      number(
        "dynamic-rd", p.dynamicRd, 0...4, "more is tried out where the buffer forces bad quality"),
      flag("ssim-rd", p.bSsimRd, "what is tried out is judged by structural similarity"),
      flag("rd-refine", p.bEnableRdRefine, "blocks of the quantizer that costs least"),
      whole("rskip", p.recursionSkipMode, 0...2, "how splitting ends early: 1 by cost, 2 by edges"),
      flag("splitrd-skip", p.bEnableSplitRdSkip, "splits that cost more are not looked at"),
      flag("fast-intra", p.bEnableFastIntra, "fewer intra directions are tried out"),
      flag("tskip-fast", p.bEnableTSkipFast, "transform skipping is tried out where it is likely"),
      flag("hme", p.bEnableHME, "motion is searched for in smaller pictures first"),
      flag("analyze-src-pics", p.bSourceReferenceEstimation, "motion is searched for in the input"),
      flag("pmode", p.bDistributeModeAnalysis, "kinds of blocks are tried out at once"),
      flag(
        "pme", p.bDistributeMotionEstimation, "motion is searched for in several places at once"),
      flag("early-skip", p.bEnableEarlySkip, "blocks without a change are taken at once"),
      whole("limit-refs", p.limitReferences, 0...3, "fewer references by what larger blocks chose"),
      flag(
        "limit-modes", Int32(clamping: p.limitModes), "fewer shapes by what smaller blocks cost"),
    ]
  }

  @unsafe private static func signalling(_ p: x265_param) -> [CodecOption] {
    unsafe [
      flag("high-tier", p.bHighTier, "the High tier of the level"),
      flag("uhd-bd", p.uhdBluray, "only what UHD Blu-ray allows"),
      flag("allow-non-conformance", p.bAllowNonConformance, "streams that no profile allows"),
      flag("info", p.bEmitInfoSEI, "the encoder and its settings, as text"),
      flag("vui-timing-info", p.bEmitVUITimingInfo, "pictures a second"),
      flag("vui-hrd-info", p.bEmitVUIHRDInfo, "parameters of the reference decoder, in the VUI"),
      flag("idr-recovery-sei", p.bEmitIDRRecoverySEI, "a recovery point with IDR pictures"),
      flag("hdr10", p.bEmitHDR10SEI, "messages of HDR10 even if they are 0"),
      flag("hdr10-opt", p.bHDR10Opt, "quantizers for HDR10"),
      whole("log2-max-poc-lsb", p.log2MaxPocLsb, 4...16, "bits of picture order counts"),
      whole("chromaloc", p.vui.chromaSampleLocTypeTopField, 0...5, "where colour samples lie"),
      whole("min-luma", p.minLuma, nil, "least luma sample; less is raised to it"),
      whole("max-luma", p.maxLuma, nil, "greatest luma sample; more is lowered to it"),
      flag("aud", p.bEnableAccessUnitDelimiters, "access unit delimiters"),
      flag("hrd", p.bEmitHRDSEI, "parameters of the reference decoder"),
      whole(
        "hash", p.decodedPictureHashSEI, 0...3, "hash of each picture: 1 MD5, 2 CRC, 3 checksum"),
    ]
  }
}
