// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
internal import ApusMedia
internal import ISOBMFF

extension CodedStream {
  /// Creates the stream of an `avcC`. If its sets disagree, or it has none, the format is unknown.
  init(avc configuration: AVCConfiguration, body: [UInt8]) throws(SyntaxError) {
    self.init(codec: .avc, configuration: body)
    var shapes: Set<StreamShape> = []
    for bytes in configuration.sequenceParameterSets {
      shapes.insert(try StreamShape(try AVCSequenceParameterSet(nalUnit: bytes)))
    }
    shape = shapes.count == 1 ? shapes.first : nil
  }
}

extension StreamShape {
  init(_ set: AVCSequenceParameterSet) throws(SyntaxError) {
    guard set.width > 0, set.height > 0 else {
      throw SyntaxError(
        .invalid, field: "frame_crop_offset", detail: "crops the whole picture")
    }
    try self.init(
      width: set.width, height: set.height, chroma: set.format.chromaFormatIDC,
      hasSeparatePlanes: set.format.separateColourPlaneFlag,
      lumaDepth: Int(set.format.bitDepthLumaMinus8) + 8,
      chromaDepth: Int(set.format.bitDepthChromaMinus8) + 8)
    if set.vui.chromaLocInfoPresentFlag {
      site = ChromaSite(type: Int(set.vui.chromaSampleLocTypeTopField))
    }
    guard set.vui.videoSignalTypePresentFlag else { return }
    colour = ColourDescription(
      primaries: Int(set.vui.colourPrimaries), transfer: Int(set.vui.transferCharacteristics),
      matrix: Int(set.vui.matrixCoefficients), isFullRange: set.vui.videoFullRangeFlag)
  }
}
