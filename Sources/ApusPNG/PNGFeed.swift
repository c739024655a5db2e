// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusSPNG

/// The bytes of a PNG, piece by piece.
final class PNGFeed {
  private let next: () throws(MediaError) -> [UInt8]
  private var piece: [UInt8] = []
  /// The number of bytes read from the piece.
  private var place = 0
  private var failure: MediaError?

  /// - Parameter next: returns the next bytes, any number of them, and none at the end.
  init(_ next: @escaping () throws(MediaError) -> [UInt8]) { self.next = next }

  /// Creates a feed for bytes in memory.
  convenience init(_ bytes: [UInt8]) {
    var rest: [UInt8]? = bytes
    self.init { rest.take() ?? [] }
  }

  /// Throws the error from `next`, if any.
  func check() throws(MediaError) {
    if let failure { throw failure }
  }

  /// Fills a buffer; returns the result code for libspng.
  private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> spng_errno {
    var filled = 0
    while filled < buffer.count {
      if place == piece.count {
        do throws(MediaError) {
          piece = try next()
        } catch {
          failure = error
          return SPNG_IO_ERROR
        }
        place = 0
        guard !piece.isEmpty else { return SPNG_IO_EOF }
      }
      let count = min(buffer.count - filled, piece.count - place)
      let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + count])
      unsafe target.copyBytes(from: piece[place..<place + count])
      filled += count
      place += count
    }
    return SPNG_OK
  }

  static let read:
    @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int) -> CInt =
      { _, context, buffer, count in
        guard let context = unsafe context else { return CInt(SPNG_IO_ERROR.rawValue) }
        let feed = unsafe Unmanaged<PNGFeed>.fromOpaque(context).takeUnretainedValue()
        let outcome = unsafe feed.fill(UnsafeMutableRawBufferPointer(start: buffer, count: count))
        return CInt(outcome.rawValue)
      }
}
