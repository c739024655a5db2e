// SPDX-License-Identifier: MIT

internal import ApusMedia

/// The bytes of a JPEG, piece by piece.
final class JPEGFeed {
  private let next: (Int) throws(MediaError) -> [UInt8]
  private var failure: MediaError?

  init(_ next: @escaping (Int) throws(MediaError) -> [UInt8]) { self.next = next }

  /// Throws the error from `next`, if any.
  func check() throws(MediaError) {
    if let failure { throw failure }
  }

  static let copy:
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int) -> Int =
      { context, buffer, capacity in
        guard let context = unsafe context, let buffer = unsafe buffer else { return -1 }
        let feed = unsafe Unmanaged<JPEGFeed>.fromOpaque(context).takeUnretainedValue()
        do throws(MediaError) {
          let bytes = try feed.next(capacity).prefix(capacity)
          _ = unsafe UnsafeMutableBufferPointer(start: buffer, count: bytes.count)
            .initialize(fromContentsOf: bytes)
          return bytes.count
        } catch {
          feed.failure = error
          return -1
        }
      }
}
