// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusSPNG

/// Encodes a PNG whose rows arrive in order, and keeps at most two of them.
public final class PNGEncoder {
  /// The format of the PNG.
  public let settings: PNGSettings
  private let context: SPNGContext
  private let output = Output()
  private let memory = ChunkMemory()
  private var row = 0
  private var rows: RowDigest?

  /// The output that was not taken yet.
  private final class Output {
    var bytes: [UInt8] = []

    func take() -> [UInt8] {
      defer { bytes = [] }
      return bytes
    }
  }

  /// - Parameter digests: whether a digest is computed, for comparison after reading the file back.
  public init(_ settings: PNGSettings, digests: Bool = false) throws(MediaError) {
    try settings.check()
    rows = digests ? RowDigest() : nil
    self.settings = settings
    context = try SPNGContext()
    // Output and memory live as long as the context, which has no other owner.
    try unsafe context.check(
      spng_set_png_stream(
        context.handle,
        { _, user, bytes, count in
          guard let user = unsafe user, let bytes = unsafe bytes else { return -2 }
          let output = unsafe Unmanaged<Output>.fromOpaque(user).takeUnretainedValue()
          unsafe output.bytes.append(
            contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
          return 0
        }, Unmanaged.passUnretained(output).toOpaque()))
    var header = spng_ihdr()
    header.width = UInt32(settings.width)
    header.height = UInt32(settings.height)
    header.bit_depth = UInt8(settings.bitDepth)
    header.color_type = settings.kind.rawValue
    try unsafe context.check(spng_set_ihdr(context.handle, &header))
    try setCompression()
  }

  /// The digest of the samples in all rows so far; `nil` if it was not requested.
  public var digest: UInt64? { rows?.value }

  /// Sets the compression. Run lengths exploit what a filter leaves of photos, as fast as without compression; at
  /// higher levels, every row has the filter that suits it best.
  private func setCompression() throws(MediaError) {
    let isFast = settings.compression == 1
    try context.set(SPNG_IMG_COMPRESSION_LEVEL, settings.compression)
    if isFast { try context.set(SPNG_IMG_COMPRESSION_STRATEGY, 3) }  // Z_RLE
    let filters =
      isFast
      ? SPNG_FILTER_CHOICE_UP.rawValue
      : SPNG_FILTER_CHOICE_SUB.rawValue | SPNG_FILTER_CHOICE_UP.rawValue
        | SPNG_FILTER_CHOICE_PAETH.rawValue
    try context.set(SPNG_FILTER_CHOICE, Int(filters))
  }

  /// Returns everything before the samples. Call it first.
  public func begin(_ chunks: PNGChunks = PNGChunks()) throws(MediaError) -> [UInt8] {
    try context.set(chunks, memory)
    try unsafe context.check(spng_encode_chunks(context.handle))
    let flags = SPNG_ENCODE_PROGRESSIVE.rawValue | SPNG_ENCODE_FINALIZE.rawValue
    try unsafe context.check(
      spng_encode_image(
        context.handle, nil, 0, CInt(bitPattern: SPNG_FMT_PNG.rawValue), CInt(bitPattern: flags)))
    return output.take()
  }

  /// Encodes the next rows, which have the format `PNGSettings.bandFormat`, and returns the output so far. Samples of
  /// 16 bits are in native byte order and use their full range.
  public func append(_ band: PictureView) throws(MediaError) -> [UInt8] {
    let format = unsafe band.format
    guard format == settings.bandFormat(rows: format.height), let plane = unsafe band.planes.first
    else {
      throw MediaError(
        .misuse,
        "a PNG of \(settings.width) samples across, \(settings.kind), \(settings.bitDepth) bits was "
          + "given rows of \(format.width) values, \(format.bitDepth) bits")
    }
    guard format.height > 0, format.height <= settings.height - row else {
      throw MediaError(
        .misuse, "a PNG of \(settings.height) rows was given \(format.height) after \(row)")
    }
    let count = format.width * format.bytesPerSample
    for index in 0..<format.height {
      let outcome = unsafe spng_encode_row(
        context.handle, plane.base + index * plane.stride, count)
      unsafe rows?.add(
        UnsafeRawBufferPointer(start: plane.base + index * plane.stride, count: count))
      row += 1
      let end = row == settings.height ? CInt(SPNG_EOI.rawValue) : 0
      if outcome != end { try context.check(outcome) }
    }
    return output.take()
  }

  /// Returns the rest, which is empty unless rows are missing.
  public func finish() throws(MediaError) -> [UInt8] {
    guard row == settings.height else {
      throw MediaError(.misuse, "a PNG of \(settings.height) rows was to end after \(row)")
    }
    return output.take()
  }
}
