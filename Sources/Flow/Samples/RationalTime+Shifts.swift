// SPDX-License-Identifier: MIT

package import Media

extension RationalTime {
  /// The time so much later, in its own units; beyond 64 bits is an error.
  package func later(by length: RationalTime) throws(MediaError) -> RationalTime {
    guard length.value != 0 else { return self }
    guard let result = adding(length) else { throw beyond }
    return result
  }

  /// The time so much earlier, in its own units; beyond 64 bits is an error.
  package func earlier(by length: RationalTime) throws(MediaError) -> RationalTime {
    guard length.value != 0 else { return self }
    guard let result = subtracting(length) else { throw beyond }
    return result
  }

  private var beyond: MediaError {
    MediaError(.invalid, of: .part("time"), "of \(value)/\(timescale) s is out of range")
  }
}
