// SPDX-License-Identifier: MIT

internal import Bytes
internal import ISOBMFF
internal import Media

extension CodedStream {
  /// By an `avcC`. Where its sets disagree, or it has none, nothing is known of the shape.
  init(avc configuration: AVCConfiguration, body: [UInt8]) throws(SyntaxError) {
    self.init(codec: .avc, configuration: body)
    var shapes: Set<StreamShape> = []
    for bytes in configuration.sequenceParameterSets {
      shapes.insert(try StreamShape(try AVCSequenceParameterSet(bytes)))
    }
    shape = shapes.count == 1 ? shapes.first : nil
  }
}

extension StreamShape {
  init(_ set: AVCSequenceParameterSet) throws(SyntaxError) {
    guard set.width > 0, set.height > 0 else {
      throw SyntaxError(
        .invalid, field: "frame_crop_offset", offset: 0, detail: "leaves nothing of the picture")
    }
    try self.init(
      width: set.width, height: set.height, chroma: set.chromaFormatIDC,
      hasSeparatePlanes: set.hasSeparateColourPlanes, lumaDepth: Int(set.bitDepthLumaMinus8) + 8,
      chromaDepth: Int(set.bitDepthChromaMinus8) + 8)
    guard set.hasVideoSignalType else { return }
    colour = ColourDescription(
      primaries: Int(set.colour[0]), transfer: Int(set.colour[1]), matrix: Int(set.colour[2]),
      isFullRange: set.isFullRange)
  }
}
