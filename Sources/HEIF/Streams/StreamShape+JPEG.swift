// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusRaster

extension StreamShape {
  /// Reads the frame header (SOF) of a JPEG: ITU-T T.81, B.2.2. `nil` if there is none that can be read.
  init?(jpeg bytes: [UInt8]) {
    guard bytes.starts(with: [0xff, 0xd8]) else { return nil }
    var index = JPEGMarker.size
    while let head = JPEGSegmentHeader(reading: bytes[index...].prefix(JPEGSegmentHeader.size)),
      head.marker.prefix == 0xff
    {
      if head.marker.code == 0xff {
        index += 1
        continue
      }
      let body = bytes[(index + JPEGSegmentHeader.size)...].prefix(max(Int(head.length) - 2, 0))
      if head.marker.isFrame {
        self.init(frameHeader: body)
        return
      }
      guard head.marker.code != 0xda, head.length >= 2 else { return nil }
      index = min(index + JPEGMarker.size + Int(head.length), bytes.count)
    }
    return nil
  }

  private init?(frameHeader slice: ArraySlice<UInt8>) {
    guard let frame = JPEGFrameHeader(reading: slice), !frame.components.isEmpty else { return nil }
    let (width, height) = (Int(frame.size.samplesPerLine), Int(frame.size.lines))
    guard width > 0, height > 0 else { return nil }
    let factors = frame.components.map { [$0.across, $0.down] }
    let chroma: Chroma =
      switch (factors.count, factors[0]) {
      case (1, _): .monochrome
      case (_, [2, 2]): factors.dropFirst().allSatisfy { $0 == [1, 1] } ? .yuv420 : .yuv444
      case (_, [2, 1]): factors.dropFirst().allSatisfy { $0 == [1, 1] } ? .yuv422 : .yuv444
      default: .yuv444
      }
    format = PictureFormat(
      width: width, height: height, chroma: chroma, bitDepth: Int(frame.size.precision))
    // JFIF: the matrix of BT.601, full range, colours in the middle of their luma samples.
    colour = ColourDescription(primaries: 2, transfer: 2, matrix: 6, isFullRange: true)
    site = .centre
  }
}
