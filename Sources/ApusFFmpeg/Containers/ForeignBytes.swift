// SPDX-License-Identifier: MIT

public import ApusMedia

/// The bytes of a container, wherever they are stored.
public struct ForeignBytes: Sendable {
  /// The number of bytes; 0 if the container is still growing.
  public var count: Int
  /// Appends exactly the bytes of a range inside `0..<count`.
  public var read: @Sendable (Range<Int>, inout OutputSpan<UInt8>) throws(MediaError) -> Void

  /// Creates the bytes of a container that can be read in any order.
  public init(
    count: Int,
    read: @escaping @Sendable (Range<Int>, inout OutputSpan<UInt8>) throws(MediaError) -> Void
  ) {
    self.count = count
    self.read = read
  }

  /// The function that waits for the next bytes of a container that is still growing; `nil` if all of it is available.
  public private(set) var pull: (@Sendable () throws(MediaError) -> [UInt8]?)?

  /// - Parameter pull: waits for the next bytes and returns them; returns `nil` at the end.
  public init(pulling pull: @escaping @Sendable () throws(MediaError) -> [UInt8]?) {
    count = 0
    read = { _, _ throws(MediaError) in }
    self.pull = pull
  }
}
