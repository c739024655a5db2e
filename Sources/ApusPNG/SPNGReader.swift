// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusSPNG

/// libspng's decoder.
@safe struct SPNGReader: ~Copyable {
  private let handle: OpaquePointer
  /// The feed, which libspng refers to by address.
  private let feed: PNGFeed

  /// The inflater; `nil` if no samples are decoded.
  private let inflater: PNGInflater?

  /// Returns a decoder for everything before the samples.
  static func reading(_ feed: PNGFeed) throws(MediaError) -> SPNGReader {
    let reader = try SPNGReader(feed, nil)
    try reader.open()
    return reader
  }

  /// Returns a decoder for the samples.
  ///
  /// - Parameter next: returns the next bytes, any number of them, and none at the end.
  static func decoding(_ next: @escaping () throws(MediaError) -> [UInt8]) throws(MediaError)
    -> SPNGReader
  {
    let inflater = try PNGInflater(next)
    let feed = PNGFeed { () throws(MediaError) in try inflater.following() }
    let reader = try SPNGReader(feed, inflater)
    try reader.open()
    return reader
  }

  private init(_ feed: PNGFeed, _ inflater: PNGInflater?) throws(MediaError) {
    let flags = inflater == nil ? 0 : CInt(SPNG_CTX_IGNORE_ADLER32.rawValue)
    guard let handle = unsafe spng_ctx_new(flags) else {
      throw MediaError(.memory, "not enough memory for a PNG decoder")
    }
    unsafe self.handle = unsafe handle
    (self.feed, self.inflater) = (feed, inflater)
  }

  private func open() throws(MediaError) {
    let context = unsafe Unmanaged.passUnretained(feed).toOpaque()
    try unsafe check(spng_set_png_stream(handle, PNGFeed.read, context))
    // Silently wrong colours are worse than none. The inflater checks the checksums of critical chunks.
    let action = inflater == nil ? SPNG_CRC_ERROR : SPNG_CRC_USE
    try unsafe check(
      spng_set_crc_action(
        handle, CInt(bitPattern: action.rawValue), CInt(bitPattern: SPNG_CRC_DISCARD.rawValue)))
  }

  deinit { unsafe spng_ctx_free(handle) }

  /// Limits the inflated size of one chunk, and of all that are kept.
  func limitChunks(to bytes: Int) throws(MediaError) {
    // libspng's limit for the length of a chunk is 2^31 - 1.
    let limit = min(max(bytes, 1), Int(Int32.max))
    try unsafe check(spng_set_chunk_limits(handle, limit, limit))
  }

  func profile() throws(MediaError) -> [UInt8]? {
    var chunk = unsafe spng_iccp()
    let outcome = unsafe spng_get_iccp(handle, &chunk)
    guard outcome != CInt(SPNG_ECHUNKAVAIL.rawValue) else { return nil }
    try check(outcome)
    return unsafe Array(UnsafeRawBufferPointer(start: chunk.profile, count: chunk.profile_len))
  }

  func header() throws(MediaError) -> spng_ihdr {
    var header = spng_ihdr()
    try unsafe check(spng_get_ihdr(handle, &header))
    return header
  }

  /// Begins to decode row by row.
  func begin(_ form: PNGPixelForm) throws(MediaError) {
    let flags = form.flags | CInt(bitPattern: SPNG_DECODE_PROGRESSIVE.rawValue)
    try unsafe check(spng_decode_image(handle, nil, 0, form.code, flags))
  }

  /// Begins to decode rows of samples as stored in the file, in native byte order.
  func beginAsStored() throws(MediaError) {
    let flags = CInt(bitPattern: SPNG_DECODE_PROGRESSIVE.rawValue)
    try unsafe check(
      spng_decode_image(handle, nil, 0, CInt(bitPattern: SPNG_FMT_PNG.rawValue), flags))
  }

  /// Decodes the next row; libspng signals the last one.
  func decodeRow(into line: inout [UInt8], isLast: Bool) throws(MediaError) {
    let outcome = unsafe line.withUnsafeMutableBytes { line in
      unsafe spng_decode_row(handle, line.baseAddress, line.count)
    }
    if !isLast || outcome != CInt(SPNG_EOI.rawValue) { try check(outcome) }
  }

  /// Decodes all rows at once.
  func decode(into rows: inout [UInt8], _ form: PNGPixelForm) throws(MediaError) {
    try unsafe check(
      rows.withUnsafeMutableBytes { rows in
        unsafe spng_decode_image(handle, rows.baseAddress, rows.count, form.code, form.flags)
      })
  }

  /// Reads to the end, because the checksum of the last samples follows them.
  func finish() throws(MediaError) {
    inflater?.hasRows = true
    try unsafe check(spng_decode_chunks(handle))
    try inflater?.finish()
  }

  private func check(_ outcome: CInt) throws(MediaError) {
    guard outcome != 0 else { return }
    try feed.check()
    let reason = unsafe String(cString: spng_strerror(outcome))
    let kind: MediaError.Kind =
      switch Int(outcome) {
      case Int(SPNG_EMEM.rawValue): .memory
      case Int(SPNG_ECHUNK_LIMITS.rawValue): .limit
      case Int(SPNG_IO_EOF.rawValue), Int(SPNG_EIDAT_TOO_SHORT.rawValue): .incomplete
      default: .corrupt
      }
    throw MediaError(kind, "libspng: \(reason)")
  }
}
