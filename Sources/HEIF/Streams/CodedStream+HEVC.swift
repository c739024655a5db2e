// SPDX-License-Identifier: MIT

internal import Bytes
internal import HEVC
internal import Media

extension CodedStream {
  /// By an `hvcC`. Where its sets disagree, or it has none, the picture itself has to tell.
  init(hevc record: DecoderConfigurationRecord, body: [UInt8]) throws(SyntaxError) {
    self.init(codec: .hevc, configuration: body)
    lengthSize = Int(record.lengthSizeMinusOne) + 1
    let units = record.arrays.flatMap(\.nalUnits)
    let sets = units.filter { NALUnitHeader(of: $0)?.nalUnitType == .sps }
    shape = try StreamShape.common(of: sets)
  }
}

extension StreamShape {
  /// What all sequence parameter sets of the base layer say; `nil` where there are none or they disagree.
  static func common(of sets: [[UInt8]]) throws(SyntaxError) -> StreamShape? {
    var shape: StreamShape?
    for bytes in sets where NALUnitHeader(of: bytes)?.nuhLayerID == 0 {
      let unit = NALUnit<SequenceParameterSet>(bytes)
      guard let set = unit.payload else {
        throw unit.failure
          ?? SyntaxError(.invalid, field: "SPS", offset: 0, detail: "cannot be read")
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
        .invalid, field: "conformance_window", offset: 0,
        detail: "leaves nothing of \(set.format.codedSize)")
    }
    try self.init(
      width: size.width, height: size.height, chroma: set.format.chromaFormatIDC,
      hasSeparatePlanes: set.format.separateColourPlaneFlag, lumaDepth: set.bitDepthLuma,
      chromaDepth: set.bitDepthChroma)
    guard set.vuiParametersPresentFlag, set.vui.videoSignalTypePresentFlag else { return }
    colour = ColourDescription(
      primaries: Int(set.vui.colourPrimaries), transfer: Int(set.vui.transferCharacteristics),
      matrix: Int(set.vui.matrixCoeffs), isFullRange: set.vui.videoFullRangeFlag)
  }

  /// By the fields that HEVC and H.264 share.
  init(
    width: Int, height: Int, chroma: UInt8, hasSeparatePlanes: Bool, lumaDepth: Int,
    chromaDepth: Int
  ) throws(SyntaxError) {
    guard !hasSeparatePlanes, let chroma = Chroma(rawValue: chroma) else {
      throw SyntaxError(
        .unsupported, field: "separate_colour_plane_flag", offset: 0,
        detail: "is 1: three colour planes coded each on its own are not decoded here")
    }
    guard chroma == .monochrome || lumaDepth == chromaDepth else {
      throw SyntaxError(
        .unsupported, field: "bit_depth_chroma", offset: 0,
        detail: "is \(chromaDepth), that of luma is \(lumaDepth): two depths are not decoded here")
    }
    format = PictureFormat(width: width, height: height, chroma: chroma, bitDepth: lumaDepth)
  }

  /// By the sequence parameter sets in a picture.
  init?(inSample sample: [UInt8], lengthSize: Int) throws(SyntaxError) {
    let units = try LengthPrefixed.units(in: sample.span, lengthSize: lengthSize)
    let sets = units.filter { range in
      range.count >= 2
        && NALUnitHeader(sample[range.lowerBound], sample[range.lowerBound + 1]).nalUnitType == .sps
    }
    guard let shape = try Self.common(of: sets.map { Array(sample[$0]) }) else { return nil }
    self = shape
  }
}
