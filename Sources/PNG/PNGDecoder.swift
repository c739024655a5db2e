// SPDX-License-Identifier: MIT

internal import CSPNG
public import Media

/// Decodes a PNG to planes: green, blue and red, or grey alone; or to its alpha. Samples of fewer than 8 bits and
/// palettes become 8 bits.
public final class PNGDecoder: PictureDecoder {
  public let name = unsafe "libspng \(String(cString: spng_version_string()))"

  public init() {}

  public func decode(
    _ picture: CodedPicture, _ body: (PictureView) throws(PictureError) -> Void
  ) throws(PictureError) {
    guard picture.codec == .png || picture.codec == .pngAlpha, let bytes = picture.samples.last
    else { throw PictureError(.misuse, "a decoder of PNG was given \(picture.codec.name)") }
    let planes = try unsafe bytes.withUnsafeBufferPointer { bytes throws(PictureError) in
      let reader = try SPNGReader()
      try unsafe reader.read(bytes)
      return try reader.decode(alpha: picture.codec == .pngAlpha)
    }
    try unsafe body(planes.view)
  }

  /// The profile of a PNG of which at least everything before its samples is there.
  public static func profile(of bytes: [UInt8]) throws(PictureError) -> [UInt8]? {
    try unsafe bytes.withUnsafeBufferPointer { bytes throws(PictureError) in
      let reader = try SPNGReader()
      try unsafe reader.read(bytes)
      return try reader.profile()
    }
  }
}

/// libspng's decoder of bytes that outlive it.
@safe private struct SPNGReader: ~Copyable {
  private let handle: OpaquePointer

  init() throws(PictureError) {
    guard let handle = unsafe spng_ctx_new(0) else {
      throw PictureError(.memory, "not enough memory for a PNG decoder")
    }
    unsafe self.handle = unsafe handle
  }

  @unsafe func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(PictureError) {
    try unsafe check(spng_set_png_buffer(handle, bytes.baseAddress, bytes.count))
    // Colours that are wrong without a word are worse than none.
    let action = CInt(bitPattern: SPNG_CRC_ERROR.rawValue)
    try unsafe check(
      spng_set_crc_action(handle, action, CInt(bitPattern: SPNG_CRC_DISCARD.rawValue)))
  }

  deinit { unsafe spng_ctx_free(handle) }

  func profile() throws(PictureError) -> [UInt8]? {
    var chunk = unsafe spng_iccp()
    let outcome = unsafe spng_get_iccp(handle, &chunk)
    guard outcome != CInt(SPNG_ECHUNKAVAIL.rawValue) else { return nil }
    try check(outcome)
    return unsafe Array(UnsafeRawBufferPointer(start: chunk.profile, count: chunk.profile_len))
  }

  func decode(alpha: Bool) throws(PictureError) -> Picture {
    var header = spng_ihdr()
    try unsafe check(spng_get_ihdr(handle, &header))
    let (width, height) = (Int(header.width), Int(header.height))
    let isGrey = header.color_type & 2 == 0
    let depth = header.bit_depth == 16 ? 16 : 8
    let form: spng_format =
      depth == 16 ? SPNG_FMT_RGBA16 : alpha ? SPNG_FMT_RGBA8 : SPNG_FMT_RGB8
    let channels = form == SPNG_FMT_RGB8 ? 3 : 4
    var format = PictureFormat(
      width: width, height: height, chroma: isGrey || alpha ? .monochrome : .yuv444,
      bitDepth: depth)
    format.isRGB = !isGrey && !alpha
    let planes = Picture(format)
    let order = alpha ? [3] : isGrey ? [0] : [1, 2, 0]
    let count = width * channels * (depth / 8)
    let flags = alpha ? CInt(bitPattern: SPNG_DECODE_TRNS.rawValue) : 0
    // Passes of an interlaced picture need all of it.
    let isInterlaced = header.interlace_method != 0
    var line = [UInt8](repeating: 0, count: isInterlaced ? count * height : count)
    if isInterlaced {
      try unsafe check(
        line.withUnsafeMutableBytes { line in
          unsafe spng_decode_image(
            handle, line.baseAddress, line.count, CInt(bitPattern: form.rawValue), flags)
        })
    } else {
      let progressive = CInt(bitPattern: SPNG_DECODE_PROGRESSIVE.rawValue)
      try unsafe check(
        spng_decode_image(handle, nil, 0, CInt(bitPattern: form.rawValue), flags | progressive))
    }
    for row in 0..<height {
      if !isInterlaced {
        let outcome = unsafe line.withUnsafeMutableBytes { line in
          unsafe spng_decode_row(handle, line.baseAddress, line.count)
        }
        if row + 1 < height || outcome != CInt(SPNG_EOI.rawValue) { try check(outcome) }
      }
      let start = isInterlaced ? row * count : 0
      unsafe line.withUnsafeBytes { line in
        for (plane, channel) in order.enumerated() {
          unsafe planes.store(
            line, from: start, channel: channel, of: channels, plane: plane, row: row)
        }
      }
    }
    // To the end, for the checksum of the last samples comes after them.
    try unsafe check(spng_decode_chunks(handle))
    return planes
  }

  private func check(_ outcome: CInt) throws(PictureError) {
    guard outcome != 0 else { return }
    let reason = unsafe String(cString: spng_strerror(outcome))
    let kind: PictureError.Kind =
      switch Int(outcome) {
      case Int(SPNG_EMEM.rawValue): .memory
      case Int(SPNG_IO_EOF.rawValue), Int(SPNG_EIDAT_TOO_SHORT.rawValue): .incomplete
      default: .corrupt
      }
    throw PictureError(kind, "libspng: \(reason)")
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
