// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import HEVC

extension CodedStream {
  /// Creates the stream of an `hvcC`. If its sets disagree, or it has none, the format has to be taken from the picture
  /// itself.
  init(hevc record: DecoderConfigurationRecord, body: [UInt8]) throws(SyntaxError) {
    self.init(codec: .hevc, configuration: body)
    lengthSize = Int(record.lengthSizeMinusOne) + 1
    parameterSets = record.arrays.flatMap(\.nalUnits)
    let sets = parameterSets.filter { NALUnitHeader(of: $0)?.nalUnitType == .sps }
    shape = try StreamShape.common(of: sets)
  }
}

extension StreamShape {
  /// The facts on which all sequence parameter sets of the base layer agree; `nil` if there are none or they disagree.
  static func common(of sets: [[UInt8]]) throws(SyntaxError) -> StreamShape? {
    var shape: StreamShape?
    for bytes in sets where NALUnitHeader(of: bytes)?.nuhLayerID == 0 {
      let unit = NALUnit<SequenceParameterSet>(bytes)
      guard let set = unit.payload else {
        throw unit.failure
          ?? SyntaxError(.invalid, field: "SPS", detail: "cannot be read")
      }
      let next = try StreamShape(set)
      guard shape == nil || shape == next else { return nil }
      shape = next
    }
    return shape
  }

  init(_ set: SequenceParameterSet) throws(SyntaxError) {
    guard let size = set.displaySize else {
      throw SyntaxError(
        .invalid, field: "conformance_window",
        detail: "crops the whole picture of \(set.format.codedSize)")
    }
    try self.init(
      width: size.width, height: size.height, chroma: set.format.chromaFormatIDC,
      hasSeparatePlanes: set.format.separateColourPlaneFlag, lumaDepth: set.bitDepthLuma,
      chromaDepth: set.bitDepthChroma)
    guard set.vuiParametersPresentFlag else { return }
    if set.vui.chromaLocInfoPresentFlag {
      site = ChromaSite(type: Int(set.vui.chromaSampleLocTypeTopField))
    }
    guard set.vui.videoSignalTypePresentFlag else { return }
    colour = ColourDescription(
      primaries: Int(set.vui.colourPrimaries), transfer: Int(set.vui.transferCharacteristics),
      matrix: Int(set.vui.matrixCoeffs), isFullRange: set.vui.videoFullRangeFlag)
  }

  /// Creates a shape from the fields that HEVC and H.264 share.
  init(
    width: Int, height: Int, chroma: UInt8, hasSeparatePlanes: Bool, lumaDepth: Int,
    chromaDepth: Int
  ) throws(SyntaxError) {
    guard !hasSeparatePlanes, let chroma = Chroma(rawValue: chroma) else {
      throw SyntaxError(
        .unsupported, field: "separate_colour_plane_flag",
        detail: "is 1: separate colour planes are not supported")
    }
    guard chroma == .monochrome || lumaDepth == chromaDepth else {
      throw SyntaxError(
        .unsupported, field: "bit_depth_chroma",
        detail:
          "is \(chromaDepth), that of luma is \(lumaDepth): different depths are not supported")
    }
    format = PictureFormat(width: width, height: height, chroma: chroma, bitDepth: lumaDepth)
  }

  /// Creates a shape from the sequence parameter set that a picture refers to, among those of its record and its own.
  init?(inSample sample: [UInt8], of stream: CodedStream) throws(SyntaxError) {
    var sets = ParameterSets()
    for unit in stream.parameterSets where NALUnitHeader(of: unit)?.nuhLayerID == 0 {
      sets.add(nalUnit: unit)
    }
    for range in try LengthPrefixed.units(in: sample.span, lengthSize: stream.lengthSize) {
      let unit = Array(sample[range])
      guard let header = NALUnitHeader(of: unit), header.nuhLayerID == 0 else { continue }
      guard header.nalUnitType.isSliceSegment else {
        sets.add(nalUnit: unit)
        continue
      }
      guard let set = try sets.sequence(ofSlice: unit) else { return nil }
      try self.init(set)
      return
    }
    return nil
  }
}
