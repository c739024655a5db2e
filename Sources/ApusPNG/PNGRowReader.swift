// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusSPNG

/// Decodes a PNG from its first row to its last, with as many rows at a time as the caller requests.
///
/// The rows become planes of green, blue and red, or only of gray; or of the alpha. Samples with fewer than 8 bits and
/// palettes become 8 bits. Memory is needed only for the requested rows, except for an interlaced picture, because each
/// of its passes covers the whole picture.
public final class PNGRowReader {
  /// The format of the whole picture.
  public let format: PictureFormat
  /// The next row to decode.
  public private(set) var row = 0

  private let reader: SPNGReader
  private let form: PNGPixelForm
  /// One row of pixels; all rows of an interlaced picture.
  private var pixels: [UInt8]
  private let isInterlaced: Bool
  /// The last planes, whose memory may be reused for the next ones.
  private var last: Picture?

  /// Opens a PNG and reads its header.
  ///
  /// - Parameters:
  ///   - alpha: whether its alpha is decoded instead of its colors.
  ///   - next: returns the next bytes, any number of them, and none at the end.
  public init(alpha: Bool, _ next: @escaping () throws(MediaError) -> [UInt8]) throws(MediaError) {
    let reader = try SPNGReader.decoding(next)
    let header = try reader.header()
    let isGray = header.color_type & 2 == 0
    form = PNGPixelForm(bitDepth: header.bit_depth == 16 ? 16 : 8, isAlpha: alpha)
    var format = PictureFormat(
      width: Int(header.width), height: Int(header.height),
      chroma: isGray || alpha ? .monochrome : .yuv444, bitDepth: form.bitDepth)
    format.isRGB = !isGray && !alpha
    self.format = format
    isInterlaced = header.interlace_method != 0
    let count = form.bytes(ofPixels: format.width)
    pixels = [UInt8](repeating: 0, count: isInterlaced ? count * format.height : count)
    self.reader = reader
    if isInterlaced {
      try self.reader.decode(into: &pixels, form)
    } else {
      try self.reader.begin(form)
    }
  }

  /// Returns the memory that an interlaced picture needs until its last row was passed on, in bytes.
  ///
  /// - Parameters:
  ///   - format: the format of the whole picture.
  ///   - alpha: whether its alpha is decoded instead of its colors.
  public static func bytes(ofInterlaced format: PictureFormat, alpha: Bool) -> Int {
    let form = PNGPixelForm(bitDepth: format.bitDepth, isAlpha: alpha)
    return form.bytes(ofPixels: format.width * format.height)
  }

  /// Decodes the next rows, and passes their planes, which are valid until `body` returns.
  ///
  /// With the last row the rest of the file is read, and `body` is not called if that is missing or damaged.
  ///
  /// - Parameter count: the number of rows, at least 1 and at most those that are left.
  public func decode(
    rows count: Int, _ body: (PictureView) throws(MediaError) -> Void
  ) throws(MediaError) {
    guard count > 0, count <= format.height - row else {
      throw MediaError(
        .misuse, "\(count) rows were asked for of \(format.height - row) that are left")
    }
    var part = format
    part.height = count
    let planes = last?.format == part ? last ?? Picture(part) : Picture(part)
    last = planes
    let order = form.isAlpha ? [3] : format.isRGB ? [1, 2, 0] : [0]
    for index in 0..<count {
      var start = 0
      if isInterlaced {
        start = form.bytes(ofPixels: format.width) * row
      } else {
        try reader.decodeRow(into: &pixels, isLast: row + 1 == format.height)
      }
      unsafe pixels.withUnsafeBytes { pixels in
        for (plane, channel) in order.enumerated() {
          unsafe planes.store(
            pixels, from: start, channel: channel, of: form.channels, plane: plane, row: index)
        }
      }
      row += 1
    }
    if row == format.height {
      pixels = []
      try reader.finish()
    }
    try unsafe body(planes.view)
  }
}

extension Picture {
  /// Stores one channel of a row of pixels.
  @unsafe fileprivate func store(
    _ pixels: UnsafeRawBufferPointer, from start: Int, channel: Int, of channels: Int, plane: Int,
    row: Int
  ) {
    let line = unsafe self.plane(plane) + row * strides[plane]
    guard let base = pixels.baseAddress else { return }
    if format.bytesPerSample == 1 {
      let source = unsafe (base + start + channel).assumingMemoryBound(to: UInt8.self)
      let target = unsafe line.assumingMemoryBound(to: UInt8.self)
      for column in 0..<format.width { unsafe target[column] = source[column &* channels] }
    } else {
      let source = unsafe (base + start).assumingMemoryBound(to: UInt16.self) + channel
      let target = unsafe line.assumingMemoryBound(to: UInt16.self)
      for column in 0..<format.width { unsafe target[column] = source[column &* channels] }
    }
  }
}
