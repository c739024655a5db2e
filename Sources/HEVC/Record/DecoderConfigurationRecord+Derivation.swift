// SPDX-License-Identifier: MIT

public import ApusBytes

/// The fixed fields of a record, as derived from the parameter sets: ISO/IEC 14496-15, 8.3.2.1.3.
extension DecoderConfigurationRecord {
  /// Derives all fields except the arrays and the length size. Throws if no record can describe all sets.
  public init(describing headers: StreamHeaders) throws(SyntaxError) {
    self.init()
    let sequences = headers.baseSequences
    guard let first = sequences.first else {
      throw Self.refusal("seq_parameter_set_rbsp", "is missing for the base layer")
    }
    try describeProfile(
      (headers.baseVideos.map(\.profileTierLevel) + sequences.map(\.profileTierLevel)))
    chromaFormatIDC = try Self.shared(
      "chroma_format_idc", sequences.map(\.format.chromaFormatIDC), first.format.chromaFormatIDC)
    bitDepthLumaMinus8 = try Self.shared(
      "bit_depth_luma_minus8", sequences.map(\.format.bitDepthLumaMinus8),
      first.format.bitDepthLumaMinus8)
    bitDepthChromaMinus8 = try Self.shared(
      "bit_depth_chroma_minus8", sequences.map(\.format.bitDepthChromaMinus8),
      first.format.bitDepthChromaMinus8)
    minSpatialSegmentationIDC = Self.minSpatialSegmentation(of: sequences)
    parallelismType =
      minSpatialSegmentationIDC == 0 ? 0 : Self.parallelism(of: headers.basePictures)
    numTemporalLayers =
      (sequences.map(\.spsMaxSubLayersMinus1) + headers.baseVideos.map(\.vpsMaxSubLayersMinus1))
      .reduce(0, max) + 1
    temporalIDNested = sequences.allSatisfy(\.spsTemporalIDNestingFlag)
    describeFrameRate(sequences, headers.sets)
  }

  /// Derives the frame rate from the clock of the sets, if all agree; a decoder model may guarantee that the rate is
  /// constant.
  private mutating func describeFrameRate(
    _ sequences: [SequenceParameterSet], _ sets: ParameterSets
  ) {
    let rates = sequences.map { $0.frameRate ?? sets.videos[$0.spsVideoParameterSetID]?.frameRate }
    guard let rate = rates.first ?? nil, rates.allSatisfy({ $0 == rate }) else { return }
    avgFrameRate = rate.averageFrameRate
    let isConstant = sequences.allSatisfy { sequence in
      let timing = sequence.vui.timing
      return timing.vuiHRDParametersPresentFlag
        && timing.hrdParameters.subLayers.last?.fixedPicRateWithinCVSFlag == true
    }
    constantFrameRate = isConstant && avgFrameRate > 0 ? 1 : 0
  }

  private mutating func describeProfile(_ levels: [ProfileTierLevel]) throws(SyntaxError) {
    let profiles = levels.map(\.general)
    guard let first = profiles.first else { return }
    generalProfileSpace = try Self.shared(
      "general_profile_space", profiles.map(\.profileSpace), first.profileSpace)
    generalTierFlag = profiles.contains(where: \.tierFlag)
    generalLevelIDC = levels.map(\.generalLevelIDC).reduce(0, max)
    generalProfileCompatibilityFlags = profiles.map(\.impliedCompatibilityFlags).reduce(.max, &)
    generalConstraintIndicatorFlags = profiles.map(\.constraintIndicatorFlags).reduce(.max, &)
    // If the sets have several profiles, one that all of them conform to describes the stream.
    let named = Set(profiles.map(\.profileIDC)).sorted()
    guard let common = named.first(where: { idc in profiles.allSatisfy { $0.conforms(to: idc) } })
    else {
      throw Self.refusal(
        "general_profile_idc",
        "is \(Self.list(named)) in different parameter sets, and none fits all; each needs a record of its own"
      )
    }
    generalProfileIDC = common
  }

  /// Returns the lowest value of all sequence parameter sets; a set without one guarantees nothing.
  public static func minSpatialSegmentation(of sequences: [SequenceParameterSet]) -> UInt16 {
    sequences.map { sequence in
      sequence.vuiParametersPresentFlag && sequence.vui.bitstreamRestrictionFlag
        ? sequence.vui.bitstreamRestriction.minSpatialSegmentationIDC : 0
    }.min() ?? 0
  }

  /// Returns the parallelism type: 1 for slices, 2 for tiles, 3 for wavefronts, 0 for a mixture.
  static func parallelism(of pictures: [PictureParameterSet]) -> UInt8 {
    let types = Set(
      pictures.map { picture -> UInt8 in
        switch (picture.tilesEnabledFlag, picture.entropyCodingSyncEnabledFlag) {
        case (true, true): 0
        case (true, false): 2
        case (false, true): 3
        case (false, false): 1
        }
      })
    return types.count == 1 ? types.first ?? 0 : 0
  }

  private static func shared(_ field: String, _ values: [UInt8], _ first: UInt8)
    throws(SyntaxError) -> UInt8
  {
    guard values.allSatisfy({ $0 == first }) else {
      throw refusal(
        field,
        "is \(list(Set(values).sorted())) in different parameter sets; one record needs it to be the same in all"
      )
    }
    return first
  }

  private static func list(_ values: [UInt8]) -> String {
    values.map(String.init).joined(separator: " and ")
  }

  static func refusal(_ field: String, _ detail: String) -> SyntaxError {
    SyntaxError(.invalid, field: field, detail: detail)
  }
}

extension LayeredDecoderConfigurationRecord {
  /// Derives all fields except the arrays and the length size from the sets of the layers above the base layer.
  public init(describing headers: StreamHeaders) {
    self.init()
    let sequences = headers.upperSequences
    minSpatialSegmentationIDC = DecoderConfigurationRecord.minSpatialSegmentation(of: sequences)
    parallelismType =
      minSpatialSegmentationIDC == 0
      ? 0 : DecoderConfigurationRecord.parallelism(of: headers.upperPictures)
    let videos = headers.videos.map(\.payload)
    let layers = sequences.filter { !$0.isMultilayerExtension }
    numTemporalLayers =
      (layers.map(\.spsMaxSubLayersMinus1) + videos.map(\.vpsMaxSubLayersMinus1)).reduce(0, max) + 1
    // A set without sub-layers inherits its nesting from the VPS (F.7.4.3.2.1).
    temporalIDNested =
      layers.allSatisfy(\.spsTemporalIDNestingFlag)
      && (layers.count == sequences.count || videos.allSatisfy(\.vpsTemporalIDNestingFlag))
  }
}

extension ProfileIndication {
  /// The compatibility flags including that of the profile itself, which some encoders omit (ITU-T H.265, 7.4.4).
  public var impliedCompatibilityFlags: UInt32 {
    profileCompatibilityFlags | (0x8000_0000 >> UInt32(profileIDC))
  }
}

extension FrameRate {
  /// The frames in 256 seconds, the unit of a record; 0, for unknown, if that exceeds 16 bits.
  public var averageFrameRate: UInt16 {
    let (scaled, overflow) = numerator.multipliedReportingOverflow(by: 256)
    guard !overflow, scaled <= UInt64.max - denominator else { return 0 }
    return UInt16(exactly: (scaled + denominator / 2) / denominator) ?? 0
  }
}
