// SPDX-License-Identifier: MIT

internal import Bytes
internal import HEVC
internal import ISOBMFF
internal import Media

extension PictureTraits {
  /// What parameter sets and supplemental information say, where nothing was said before.
  ///
  /// - Parameter units: NAL units beside those of the record.
  mutating func complete(from record: DecoderConfigurationRecord, and units: [[UInt8]] = []) {
    let headers = StreamHeaders(record.arrays.flatMap(\.nalUnits) + units)
    if let sequence = headers.baseSequences.first {
      if colour == nil { colour = ColourDescription(sequence) }
      if sampleAspect == nil, let ratio = sequence.sampleAspectRatio {
        sampleAspect = SampleAspect(ratio.width, ratio.height)
      }
      let profile = sequence.profileTierLevel.general
      if fields == nil, profile.progressiveSourceFlag, !profile.interlacedSourceFlag {
        fields = .progressive
      }
    }
    if masteringDisplay == nil, let volume = headers.first(HEVC.MasteringDisplayColourVolume.self) {
      masteringDisplay = MasteringDisplay(volume)
    }
    if contentLight == nil, let level = headers.first(HEVC.ContentLightLevel.self) {
      contentLight = ContentLight(
        maximum: level.maxContentLightLevel, maximumAverage: level.maxPicAverageLightLevel)
    }
  }

  /// The same of AVC, with the bytes of a configuration record.
  mutating func complete(fromAVC bytes: [UInt8]) {
    var reader = SyntaxReader(MemorySource(bytes))
    var record = AVCConfiguration()
    do throws(SyntaxError) {
      try record.syntax(&reader)
    } catch {
      return
    }
    guard let set = record.sequenceParameterSets.first, let sequence = AVCSequence(nalUnit: set)
    else { return }
    if colour == nil, let said = sequence.colour { colour = ColourDescription(said) }
    if sampleAspect == nil, let ratio = sequence.sampleAspectRatio {
      sampleAspect = SampleAspect(ratio.width, ratio.height)
    }
    if fields == nil, sequence.order.isFramesOnly { fields = .progressive }
  }
}

extension ColourDescription {
  /// What a sequence parameter set says; `nil` where it says nothing.
  init?(_ sequence: SequenceParameterSet) {
    let usability = sequence.vui
    guard sequence.vuiParametersPresentFlag, usability.videoSignalTypePresentFlag,
      usability.colourDescriptionPresentFlag || usability.videoFullRangeFlag
    else { return nil }
    self.init(
      primaries: Int(usability.colourPrimaries), transfer: Int(usability.transferCharacteristics),
      matrix: Int(usability.matrixCoeffs), isFullRange: usability.videoFullRangeFlag)
  }

  init(_ box: ColourInformation) {
    self.init(
      primaries: Int(box.colourPrimaries), transfer: Int(box.transferCharacteristics),
      matrix: Int(box.matrixCoefficients), isFullRange: box.fullRangeFlag)
  }
}

extension MasteringDisplay {
  /// Primaries stand there in the order green, blue, red, which the standard suggests and everybody follows.
  fileprivate init(_ volume: HEVC.MasteringDisplayColourVolume) {
    let points = volume.displayPrimaries.map { Chromaticity($0.x, $0.y) }
    self.init(
      red: points[2], green: points[0], blue: points[1],
      white: Chromaticity(volume.whitePointX, volume.whitePointY),
      maximumLuminance: volume.maxDisplayMasteringLuminance,
      minimumLuminance: volume.minDisplayMasteringLuminance)
  }
}
