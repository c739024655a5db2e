// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ISOBMFF

extension CodedStream {
  /// Creates the stream of an `av1C`, which describes everything except the size; the size comes from the sequence
  /// header in the record or in the picture.
  init(av1 configuration: AV1Configuration, body: [UInt8]) throws(SyntaxError) {
    self.init(codec: .av1, configuration: body)
    let units = try configuration.configOBUs.prefix(StreamShape.headerBytes).bytes()
    shape = StreamShape(inAV1Units: units)
  }
}

extension StreamShape {
  /// The number of bytes at the start of a picture that are read for its sequence header.
  static let headerBytes = 1 << 12

  init?(inAV1Units bytes: [UInt8]) {
    guard let header = AV1SequenceHeader(inUnits: bytes) else { return nil }
    self.init(header)
  }

  init(_ header: AV1SequenceHeader) {
    let said = header.colour
    let chroma: Chroma =
      said.monochrome
      ? .monochrome : said.subsamplingY ? .yuv420 : said.subsamplingX ? .yuv422 : .yuv444
    format = PictureFormat(
      width: Int(header.maxFrameWidthMinus1) + 1, height: Int(header.maxFrameHeightMinus1) + 1,
      chroma: chroma, bitDepth: said.bitDepth)
    colour = ColourDescription(
      primaries: Int(said.primaries), transfer: Int(said.transferCharacteristics),
      matrix: Int(said.matrixCoefficients), isFullRange: said.range)
    // A stream that does not state the position (0) has averages of four samples, which lie in the middle.
    let position = said.chromaSamplePosition
    site = position == 1 ? .left : position == 2 ? .topLeft : .centre
  }
}
