// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import HEVC

/// The parameter sets of a single picture, and the header of its slice.
struct StillParameterSets {
  let vps: VideoParameterSet
  let sps: SequenceParameterSet
  let pps: PictureParameterSet
  /// The NAL units of the three parameter sets.
  let units: [[UInt8]]
  private let known: ParameterSets

  /// - Parameter format: the format of the source; whole blocks of 8 × 8 are coded.
  init(_ format: PictureFormat, _ settings: StillSettings) throws(MediaError) {
    var sps = SequenceParameterSet()
    sps.spsTemporalIDNestingFlag = true
    sps.subLayerOrdering = [SubLayerOrdering()]
    sps.format.chromaFormatIDC = format.chroma == .monochrome ? 0 : 1
    let (width, height) = ((format.width + 7) & ~7, (format.height + 7) & ~7)
    sps.format.picWidthInLumaSamples = UInt32(width)
    sps.format.picHeightInLumaSamples = UInt32(height)
    let unit = format.chroma == .monochrome ? 1 : 2
    if width > format.width || height > format.height {
      sps.format.conformanceWindowFlag = true
      sps.format.conformanceWindow.rightOffset = UInt32((width - format.width) / unit)
      sps.format.conformanceWindow.bottomOffset = UInt32((height - format.height) / unit)
    }
    sps.format.bitDepthLumaMinus8 = UInt8(format.bitDepth - 8)
    sps.format.bitDepthChromaMinus8 = UInt8(format.bitDepth - 8)
    sps.coding.log2DiffMaxMinLumaCodingBlockSize = 3
    sps.coding.log2DiffMaxMinLumaTransformBlockSize = 3
    sps.coding.sampleAdaptiveOffsetEnabledFlag = settings.hasOffsets
    sps.strongIntraSmoothingEnabledFlag = true
    sps.profileTierLevel = Self.profile(format, width: width, height: height)
    if let colour = settings.colour {
      sps.vuiParametersPresentFlag = true
      sps.vui.videoSignalTypePresentFlag = true
      sps.vui.videoFullRangeFlag = colour.isFullRange
      sps.vui.colourDescriptionPresentFlag = true
      sps.vui.colourPrimaries = UInt8(clamping: colour.primaries)
      sps.vui.transferCharacteristics = UInt8(clamping: colour.transfer)
      sps.vui.matrixCoeffs = UInt8(clamping: colour.matrix)
    }

    // The stream must not state it for other formats: E.3.1.
    if let site = settings.chromaSite, format.chroma == .yuv420 {
      sps.vuiParametersPresentFlag = true
      sps.vui.chromaLocInfoPresentFlag = true
      sps.vui.chromaSampleLocTypeTopField = UInt8(site.type)
      sps.vui.chromaSampleLocTypeBottomField = UInt8(site.type)
    }

    var pps = PictureParameterSet()
    pps.signDataHidingEnabledFlag = true
    pps.ppsSliceChromaQPOffsetsPresentFlag = format.chroma != .monochrome
    pps.transformSkipEnabledFlag = settings.skipsTransforms
    pps.cuQPDeltaEnabledFlag = settings.adaptsQuantizers
    pps.diffCUQPDeltaDepth = settings.adaptsQuantizers ? 1 : 0
    pps.ppsLoopFilterAcrossSlicesEnabledFlag = true

    let header = NALUnitHeader(.vps)
    var vps = VideoParameterSet(in: header, sets: ParameterSets())
    vps.vpsTemporalIDNestingFlag = true
    vps.profileTierLevel = sps.profileTierLevel
    vps.subLayerOrdering = [SubLayerOrdering()]
    do throws(SyntaxError) {
      units = [
        try NALUnit(header, vps).bytes(), try NALUnit(NALUnitHeader(.sps), sps).bytes(),
        try NALUnit(NALUnitHeader(.pps), pps).bytes(),
      ]
    } catch {
      throw MediaError(.misuse, "cannot be described: \(error)")
    }
    var known = ParameterSets()
    for unit in units where !known.add(nalUnit: unit) {
      throw MediaError(.misuse, "has parameter sets that cannot be read back")
    }
    (self.vps, self.sps, self.pps, self.known) = (vps, sps, pps, known)
  }

  /// Returns Main Still Picture, Main 10 for one picture only, or a monochrome profile of the range extensions: Annex
  /// A.
  private static func profile(_ format: PictureFormat, width: Int, height: Int) -> ProfileTierLevel
  {
    var profile = ProfileTierLevel()
    var general = ProfileIndication()
    general.progressiveSourceFlag = true
    general.frameOnlyConstraintFlag = true
    if format.chroma == .monochrome {
      general.profileIDC = 4
      general.profileCompatibilityFlags = 0x0800_0000
      general.max12bitConstraintFlag = true
      general.max10bitConstraintFlag = true
      general.max8bitConstraintFlag = format.bitDepth == 8
      general.max422chromaConstraintFlag = true
      general.max420chromaConstraintFlag = true
      general.maxMonochromeConstraintFlag = true
      general.intraConstraintFlag = true
      general.onePictureOnlyConstraintFlag = true
      general.lowerBitRateConstraintFlag = true
    } else if format.bitDepth == 8 {
      general.profileIDC = 3
      general.profileCompatibilityFlags = 0x7000_0000
    } else {
      general.profileIDC = 2
      general.profileCompatibilityFlags = 0x2000_0000
      general.onePictureOnlyConstraintFlag = true
    }
    profile.general = general
    profile.generalLevelIDC = level(width: width, height: height)
    return profile
  }

  /// Returns the lowest level for a picture of this size (Table A.8), or 255 if it exceeds all levels.
  private static func level(width: Int, height: Int) -> UInt8 {
    LevelLimits.all.first { $0.holds(width: width, height: height) }?.level ?? 255
  }

  /// Returns the NAL unit of the slice.
  ///
  /// - Parameters:
  ///   - qp: the value of `SliceQpY`.
  ///   - cbOffset: the value of `slice_cb_qp_offset`.
  ///   - data: the arithmetically coded data, not yet escaped.
  @unsafe func slice(qp: Int, cbOffset: Int, _ data: UnsafeBufferPointer<UInt8>)
    throws(MediaError) -> [UInt8]
  {
    var slice = SliceSegmentHeader(in: NALUnitHeader(.idrWRADL), sets: known)
    slice.firstSliceSegmentInPicFlag = true
    slice.sliceType = .i
    slice.sliceSAOLumaFlag = sps.coding.sampleAdaptiveOffsetEnabledFlag
    slice.sliceSAOChromaFlag =
      sps.coding.sampleAdaptiveOffsetEnabledFlag && sps.format.chromaFormatIDC > 0
    slice.quantization.sliceQPDelta = Int8(qp - 26)
    slice.quantization.sliceCBQPOffset = Int8(cbOffset)
    slice.sliceLoopFilterAcrossSlicesEnabledFlag = true
    var writer = SyntaxWriter(ArraySink(), escaping: true)
    do throws(SyntaxError) {
      var header = slice.header
      try header.syntax(&writer)
      try slice.syntax(&writer)
      var one = true
      try writer.flag("alignment_bit", &one)
      var zero: UInt8 = 0
      if writer.bitsUntilAligned > 0 { try writer.u(writer.bitsUntilAligned, "zero", &zero) }
    } catch {
      throw MediaError(.misuse, "cannot be described: \(error)")
    }
    var bytes = writer.sink.bytes
    bytes.reserveCapacity(bytes.count + data.count + data.count / 64 + 16)
    var zeros = 0
    for index in 0..<data.count {
      let byte = unsafe data[index]
      if zeros >= 2, byte <= 3 {
        bytes.append(3)
        zeros = 0
      }
      zeros = byte == 0 ? zeros + 1 : 0
      bytes.append(byte)
    }
    return bytes
  }
}
