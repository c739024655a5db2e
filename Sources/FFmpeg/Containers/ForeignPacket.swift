// SPDX-License-Identifier: MIT

/// A piece of one stream as a container gives it, with times in the units of the stream.
public struct ForeignPacket: Sendable {
  public var stream: Int
  /// This is `nil` where the container does not say it and libavformat cannot tell.
  public var presentationTime: Int64?
  public var decodeTime: Int64?
  /// This is 0 where unknown.
  public var duration: Int64
  /// Whether the container or a look at its beginning says that decoding can begin with it.
  public var isKey: Bool
  /// Whether the container's own checks found damage.
  public var isDamaged: Bool
  public var bytes: [UInt8]
  /// What configures a decoder from here on, where that changes.
  public var configuration: [UInt8]?
}

extension ForeignPacket {
  /// A packet that is written.
  public init(
    stream: Int, presentationTime: Int64, decodeTime: Int64, duration: Int64, isKey: Bool,
    bytes: [UInt8]
  ) {
    self.init(
      stream: stream, presentationTime: presentationTime, decodeTime: decodeTime,
      duration: duration, isKey: isKey, isDamaged: false, bytes: bytes)
  }
}
