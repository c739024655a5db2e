// SPDX-License-Identifier: MIT

public import ApusBytes

/// Slice segment header (`slice_segment_header()`): ITU-T H.265, 7.3.6.1.
///
/// In a layer above 0 it is read only up to the reference picture sets (F.7.3.6.1).
public struct SliceSegmentHeader: SyntaxStructure {
  public var firstSliceSegmentInPicFlag = true
  public var noOutputOfPriorPicsFlag = false
  public var slicePicParameterSetID: UInt8 = 0
  public var dependentSliceSegmentFlag = false
  public var sliceSegmentAddress: UInt32 = 0
  /// The `slice_reserved_flag`s, some of which have a meaning in a layer above 0 (F.7.3.6.1).
  public var sliceReservedFlags: [Bool] = []
  public var sliceType: SliceType = .i
  public var picOutputFlag = true
  public var colourPlaneID: UInt8 = 0
  public var references = SliceReferences()
  public var sliceSAOLumaFlag = false
  public var sliceSAOChromaFlag = false
  public var prediction = SlicePrediction()
  public var quantization = SliceQuantization()
  public var deblocking = SliceDeblocking()
  public var sliceLoopFilterAcrossSlicesEnabledFlag = false
  public var entryPoints = EntryPoints()
  public var sliceSegmentHeaderExtension: [UInt8] = []

  /// The header of its NAL unit.
  public let header: NALUnitHeader
  private let sets: ParameterSets

  public init() { self.init(in: NALUnitHeader(.trailR), sets: ParameterSets()) }

  /// Creates an empty header to be read in a NAL unit.
  ///
  /// - Parameter sets: the parameter sets that the slice may refer to.
  public init(in header: NALUnitHeader, sets: ParameterSets) {
    self.header = header
    self.sets = sets
  }

  /// The picture parameter set in use.
  public var pictureParameterSet: PictureParameterSet? { sets.pictures[slicePicParameterSetID] }
  /// The sequence parameter set in use.
  public var sequenceParameterSet: SequenceParameterSet? { parameterSets?.sequence }
  /// Both parameter sets, without copying them; `nil` if one was not seen.
  package var parameterSets: SliceParameterSets? { sets.ofSlices(slicePicParameterSetID) }

  /// Whether only the part up to the reference picture sets is declared.
  public var isPartial: Bool { header.nuhLayerID > 0 }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try reference(&v)
    guard let found = parameterSets else {
      throw v.failure(
        .unsupported, "slice_pic_parameter_set_id",
        "is \(slicePicParameterSetID), whose parameter sets were not seen")
    }
    let context = try SliceContext(header, found, sets.videos, v.failure)
    let pps = found.picture
    if !firstSliceSegmentInPicFlag {
      if pps.dependentSliceSegmentsEnabledFlag {
        try v.flag("dependent_slice_segment_flag", &dependentSliceSegmentFlag)
      }
      try v.u(
        bitsToTellApart(context.picSizeInCtbs), "slice_segment_address", &sliceSegmentAddress)
    }
    if !dependentSliceSegmentFlag { try ownFields(&v, context) }
    if isPartial { return }
    if pps.tilesEnabledFlag || pps.entropyCodingSyncEnabledFlag {
      try entryPoints.syntax(&v, context)
    }
    if pps.sliceSegmentHeaderExtensionPresentFlag {
      let count = try v.ueCount(
        "slice_segment_header_extension_length", sliceSegmentHeaderExtension.count, in: 0...256)
      try v.values(
        8, "slice_segment_header_extension_data_byte", &sliceSegmentHeaderExtension, count: count)
    }
  }

  /// Visits the fields up to the one that selects the parameter sets, which determine how all others are read.
  mutating func reference<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("first_slice_segment_in_pic_flag", &firstSliceSegmentInPicFlag)
    if header.nalUnitType.isIRAP {
      try v.flag("no_output_of_prior_pics_flag", &noOutputOfPriorPicsFlag)
    }
    try v.ue("slice_pic_parameter_set_id", &slicePicParameterSetID, in: 0...63)
  }

  /// Visits the fields that a dependent slice segment inherits from the previous one.
  private mutating func ownFields<V: SyntaxVisitor>(_ v: inout V, _ context: SliceContext)
    throws(SyntaxError)
  {
    let pps = context.pps
    try v.values(
      1, "slice_reserved_flag", &sliceReservedFlags, count: Int(pps.numExtraSliceHeaderBits))
    var type = sliceType.rawValue
    try v.ue("slice_type", &type, in: 0...2)
    sliceType = SliceType(rawValue: type) ?? .i
    if pps.outputFlagPresentFlag { try v.flag("pic_output_flag", &picOutputFlag) }
    if context.format.separateColourPlaneFlag { try v.u(2, "colour_plane_id", &colourPlaneID) }
    try references.syntax(&v, context)
    if isPartial { return }
    if context.sps.coding.sampleAdaptiveOffsetEnabledFlag {
      try v.flag("slice_sao_luma_flag", &sliceSAOLumaFlag)
      if context.format.chromaArrayType != 0 {
        try v.flag("slice_sao_chroma_flag", &sliceSAOChromaFlag)
      }
    }
    if sliceType != .i { try prediction.syntax(&v, context, sliceType, references) }
    try quantization.syntax(&v, context)
    try deblocking.syntax(&v, pps)
    if pps.ppsLoopFilterAcrossSlicesEnabledFlag,
      sliceSAOLumaFlag || sliceSAOChromaFlag || !deblocking.isDisabled(by: pps)
    {
      try v.flag(
        "slice_loop_filter_across_slices_enabled_flag", &sliceLoopFilterAcrossSlicesEnabledFlag)
    }
  }
}

/// The kinds of prediction allowed in a slice: ITU-T H.265, Table 7-7.
public enum SliceType: UInt8, Hashable, Sendable {
  case b, p, i

  /// The letter in the standard: `B`, `P` or `I`.
  public var name: String {
    switch self {
    case .b: "B"
    case .p: "P"
    case .i: "I"
    }
  }
}
