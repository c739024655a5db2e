// SPDX-License-Identifier: MIT

public import Media

/// The bytes of a container, wherever they lie.
public struct ForeignBytes: Sendable {
  public var count: Int
  /// Appends exactly the bytes of a range inside `0..<count`.
  public var read: @Sendable (Range<Int>, inout OutputSpan<UInt8>) throws(MediaError) -> Void

  public init(
    count: Int,
    read: @escaping @Sendable (Range<Int>, inout OutputSpan<UInt8>) throws(MediaError) -> Void
  ) {
    self.count = count
    self.read = read
  }
}
