// SPDX-License-Identifier: MIT

package import ApusMedia

extension RationalTime {
  /// Returns a time later by the given length, in its own units; throws beyond 64 bits.
  package func later(by length: RationalTime) throws(MediaError) -> RationalTime {
    guard length.value != 0 else { return self }
    guard let result = adding(length) else { throw beyond }
    return result
  }

  /// Returns a time earlier by the given length, in its own units; throws beyond 64 bits.
  package func earlier(by length: RationalTime) throws(MediaError) -> RationalTime {
    guard length.value != 0 else { return self }
    guard let result = subtracting(length) else { throw beyond }
    return result
  }

  private var beyond: MediaError {
    MediaError(.invalid, of: .part("time"), "of \(value)/\(timescale) s is out of range")
  }
}
