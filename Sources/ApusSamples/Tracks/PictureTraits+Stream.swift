// SPDX-License-Identifier: MIT

package import AVC
internal import ApusBytes
internal import ApusMedia
package import HEVC
package import ISOBMFF

extension PictureTraits {
  /// Fills in missing traits from parameter sets and supplemental information.
  package mutating func complete(from headers: StreamHeaders) {
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
    if masteringDisplay == nil, let volume = headers.first(MasteringDisplayColourVolume.self) {
      masteringDisplay = MasteringDisplay(volume)
    }
    if contentLight == nil, let level = headers.first(ContentLightLevel.self) {
      contentLight = ContentLight(
        maximum: level.maxContentLightLevel, maximumAverage: level.maxPicAverageLightLevel)
    }
  }

  /// Fills in missing traits from the bytes of an AVC configuration record.
  package mutating func complete(fromAVC record: [UInt8]) {
    if let sequence = AVCSequenceParameterSet(firstOf: record) { complete(from: sequence) }
  }

  /// Fills in missing traits from a parameter set of AVC.
  package mutating func complete(from sequence: AVCSequenceParameterSet) {
    if colour == nil { colour = ColourDescription(sequence.vui) }
    if sampleAspect == nil, let ratio = sequence.vui.sampleAspectRatio {
      sampleAspect = SampleAspect(ratio.width, ratio.height)
    }
    if fields == nil, sequence.frameMbsOnlyFlag { fields = .progressive }
  }
}

extension PictureTraits {
  /// Fills in missing traits from the box that configures AV1 or VP9.
  package mutating func complete(fromBox box: (any Box)?) {
    guard colour == nil else { return }
    switch box {
    case let av1 as AV1Configuration: colour = av1.sequence.flatMap { ColourDescription($0.colour) }
    case let vp as VPConfiguration: colour = ColourDescription(vp)
    default: break
    }
  }
}

extension AVCSequenceParameterSet {
  /// Reads the first parameter set of a configuration record; `nil` if none can be read.
  package init?(firstOf record: [UInt8]) {
    guard let sequence = (try? AVCConfiguration(record))?.firstSequence else { return nil }
    self = sequence
  }
}

extension AVCUsability {
  var sampleAspectRatio: (width: Int, height: Int)? {
    guard aspectRatioInfoPresentFlag else { return nil }
    if aspectRatioIDC == Self.extendedAspectRatio { return (Int(sarWidth), Int(sarHeight)) }
    return SequenceParameterSet.sampleAspectRatio(of: aspectRatioIDC)
  }
}

extension ColourDescription {
  /// Reads a sequence parameter set; `nil` if it contains no colour description.
  package init?(_ sequence: SequenceParameterSet) {
    let usability = sequence.vui
    guard sequence.vuiParametersPresentFlag, usability.videoSignalTypePresentFlag,
      usability.colourDescriptionPresentFlag || usability.videoFullRangeFlag
    else { return nil }
    self.init(
      primaries: Int(usability.colourPrimaries), transfer: Int(usability.transferCharacteristics),
      matrix: Int(usability.matrixCoeffs), isFullRange: usability.videoFullRangeFlag)
  }

  /// Reads AVC usability information; `nil` if it contains no colour description.
  package init?(_ usability: AVCUsability) {
    guard usability.colourDescriptionPresentFlag || usability.videoFullRangeFlag else { return nil }
    self.init(
      primaries: Int(usability.colourPrimaries), transfer: Int(usability.transferCharacteristics),
      matrix: Int(usability.matrixCoefficients), isFullRange: usability.videoFullRangeFlag)
  }

  /// Reads a sequence header of AV1; `nil` if it contains no colour description.
  init?(_ colour: AV1Colour) {
    guard colour.descriptionPresentFlag || colour.range else { return nil }
    self.init(
      primaries: Int(colour.primaries), transfer: Int(colour.transferCharacteristics),
      matrix: Int(colour.matrixCoefficients), isFullRange: colour.range)
  }

  /// Reads the box of VP9; `nil` if it contains no colour description.
  init?(_ box: VPConfiguration) {
    let points = [box.colourPrimaries, box.transferCharacteristics, box.matrixCoefficients]
    guard box.header.version > 0, points.contains(where: { $0 != 2 }) || box.videoFullRangeFlag
    else {
      return nil
    }
    self.init(
      primaries: Int(points[0]), transfer: Int(points[1]), matrix: Int(points[2]),
      isFullRange: box.videoFullRangeFlag)
  }

  package init(_ box: ColourInformation) {
    self.init(
      primaries: Int(box.colourPrimaries), transfer: Int(box.transferCharacteristics),
      matrix: Int(box.matrixCoefficients), isFullRange: box.fullRangeFlag)
  }
}

extension MasteringDisplay {
  /// The primaries are in the order green, blue, red, which the standard suggests and everybody follows.
  fileprivate init(_ volume: MasteringDisplayColourVolume) {
    let points = volume.displayPrimaries.map { Chromaticity($0.x, $0.y) }
    self.init(
      red: points[2], green: points[0], blue: points[1],
      white: Chromaticity(volume.whitePointX, volume.whitePointY),
      maximumLuminance: volume.maxDisplayMasteringLuminance,
      minimumLuminance: volume.minDisplayMasteringLuminance)
  }
}

extension FieldOrder {
  /// Creates the order from the field that is shown first; `nil` for an undefined order. 9 and 14 say whether the first
  /// line of an interleaved frame is early or late; the QuickTime File Format swaps them, Core Media and TN2162 do not.
  package init?(_ box: FieldHandling) {
    switch (box.fieldCount, box.fieldOrder) {
    case (1, _): self = .progressive
    case (2, 1), (2, 9): self = .topFirst
    case (2, 6), (2, 14): self = .bottomFirst
    default: return nil
    }
  }
}
