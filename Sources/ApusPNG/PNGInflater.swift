// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusRaster
internal import CApusSPNG

/// Passes the bytes of a PNG to libspng, with the samples inflated here and stored without compression.
///
/// libspng inflates only as much as the rows need, and so checks neither the end of the compressed stream nor its
/// checksum (RFC 1950, 2.2). The checksums of chunks are also checked here.
@safe final class PNGInflater {
  private enum Place {
    case signature, header, body, checksum, end
  }

  /// Whether all rows were decoded, so that further inflated bytes are dropped.
  var hasRows = false
  private let next: () throws(MediaError) -> [UInt8]
  private var piece: ArraySlice<UInt8> = []
  /// The zlib stream, which must not move in memory.
  private let stream: UnsafeMutablePointer<z_stream>
  private var place = Place.signature
  /// The number of bytes left in the body of a chunk, and the checksum of those before.
  private var left = 0
  private var sum: UInt = 0
  private var isCritical = false
  private var isLast = false
  /// Whether the chunk contains samples.
  private var isSamples = false
  private var hasBegun = false
  private var isOver = false
  /// Compressed samples that were not inflated yet.
  private var input: ArraySlice<UInt8> = []
  /// An error that is reported after the data inflated before it.
  private var failure: MediaError?
  /// The number of samples beyond the last row.
  private var surplus = 0

  /// The size of a stored block (RFC 1951, 3.2.4), which is read again while it is in the caches.
  private static let blockSize = 0x7FFF
  private static let samples: FourCC = "IDAT"
  private static let mostSurplus = 1 << 20

  /// - Parameter next: returns the next bytes, any number of them, and none at the end.
  init(_ next: @escaping () throws(MediaError) -> [UInt8]) throws(MediaError) {
    self.next = next
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: unsafe z_stream())
    let size = unsafe CInt(MemoryLayout<z_stream>.size)
    guard unsafe inflateInit_(stream, zlibVersion(), size) == Z_OK else {
      throw MediaError(.memory, "not enough memory to inflate a PNG")
    }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Returns the next bytes; none at the end.
  func following() throws(MediaError) -> [UInt8] {
    while true {
      switch place {
      case .signature:
        place = .header
        return try take(PNGSignature.size)
      case .header:
        let header = try take(PNGChunkHeader.size)
        guard let chunk = PNGChunkHeader(reading: header) else { return header }
        let isFirst = !hasBegun
        try begin(chunk)
        guard isSamples else { return header }
        if isFirst { return [0, 0, 0, 2] + Self.samples.bytes + [0x78, 0x01, 0, 0, 0, 0] }
      case .body where isSamples:
        guard try fill() else { return [] }
        if let block = try inflated() { return block }
        if input.isEmpty, left == 0 { place = .checksum }
      case .body:
        guard left > 0 else {
          place = .checksum
          continue
        }
        return Array(try passed())
      case .checksum:
        let bytes = try take(4)
        place = isLast && bytes.count == 4 ? .end : .header
        let isRight = UInt(bigEndianBytes: bytes) == sum || !isCritical || bytes.count < 4
        guard isRight else { throw MediaError(.corrupt, "a chunk has a checksum that is wrong") }
        if !isSamples || bytes.count < 4 { return isSamples ? [] : bytes }
      case .end: return []
      }
    }
  }

  /// Reads to the end, which libspng may not do.
  func finish() throws(MediaError) {
    while try !following().isEmpty {}
    guard place == .end else { throw MediaError(.incomplete, "the PNG does not end with IEND") }
  }

  private func begin(_ chunk: PNGChunkHeader) throws(MediaError) {
    isSamples = chunk.type == Self.samples
    guard isSamples || !hasBegun || isOver else {
      throw MediaError(.incomplete, "the compressed samples end too early")
    }
    hasBegun = hasBegun || isSamples
    isLast = chunk.type == "IEND"
    isCritical = chunk.isCritical
    left = Int(chunk.length)
    sum = Self.sum(chunk.type.bytes[...], after: 0)
    place = .body
  }

  private static func sum(_ bytes: ArraySlice<UInt8>, after sum: UInt) -> UInt {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe crc32(sum, bytes.baseAddress, UInt32(bytes.count))
    }
  }

  /// Returns the next bytes in memory, up to a number; none at the end.
  private func part(_ most: Int) throws(MediaError) -> ArraySlice<UInt8> {
    if piece.isEmpty { piece = try next()[...] }
    defer { piece = piece.dropFirst(most) }
    return piece.prefix(most)
  }

  /// Returns the next bytes; fewer only at the end.
  private func take(_ count: Int) throws(MediaError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let more = try part(count - bytes.count)
      guard !more.isEmpty else { break }
      bytes += more
    }
    return bytes
  }

  /// Returns the next bytes in the body of a chunk.
  private func passed() throws(MediaError) -> ArraySlice<UInt8> {
    let bytes = try part(left)
    left -= bytes.count
    if isCritical { sum = Self.sum(bytes, after: sum) }
    return bytes
  }

  /// Reads compressed samples if none are left; returns `false` at the end of the file.
  private func fill() throws(MediaError) -> Bool {
    guard input.isEmpty, left > 0 else { return true }
    input = try passed()
    return !input.isEmpty
  }

  /// Inflates up to a block of samples, and returns them as a chunk; `nil` if there are none.
  private func inflated() throws(MediaError) -> [UInt8]? {
    if let failure { throw failure }
    guard !isOver else {
      input = []
      return nil
    }
    var (code, made) = (Z_OK, 0)
    let head = 13
    var chunk = unsafe [UInt8](unsafeUninitializedCapacity: head + Self.blockSize + 4) {
      buffer, count in
      unsafe stream.pointee.next_out = buffer.baseAddress?.advanced(by: head)
      unsafe stream.pointee.avail_out = UInt32(Self.blockSize)
      code = unsafe input.withUnsafeBufferPointer { bytes in
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(bytes.count)
        return unsafe inflate(stream, Z_NO_FLUSH)
      }
      made = unsafe Self.blockSize - Int(stream.pointee.avail_out)
      count = head + made
    }
    input = unsafe input.suffix(Int(stream.pointee.avail_in))
    isOver = code == Z_STREAM_END
    if code != Z_OK, code != Z_STREAM_END, code != Z_BUF_ERROR {
      let reason = unsafe stream.pointee.msg.map { unsafe String(cString: $0) } ?? "error \(code)"
      failure = MediaError(
        code == Z_MEM_ERROR ? .memory : .corrupt, "the samples cannot be inflated: \(reason)")
      guard made > 0, !hasRows else { throw failure ?? MediaError(.corrupt, reason) }
    }
    guard made > 0, !hasRows else {
      surplus += made
      guard surplus <= Self.mostSurplus else {
        throw MediaError(.corrupt, "there are more samples than the rows have")
      }
      return nil
    }
    // The block is stored: its length and the complement of that, the least significant byte first.
    let length = UInt16(made).byteSwapped
    chunk.replaceSubrange(
      ..<head,
      with: UInt32(made + 5).bigEndianBytes + Self.samples.bytes + [0] + length.bigEndianBytes
        + (~length).bigEndianBytes)
    // The checksum is ignored.
    chunk += [0, 0, 0, 0]
    return chunk
  }
}
