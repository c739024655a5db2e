// SPDX-License-Identifier: MIT

/// A packet of one stream from a container, with times in the units of the stream.
public struct ForeignPacket: Sendable {
  /// The index of its stream.
  public var stream: Int
  /// The presentation time; `nil` if the container does not contain it and libavformat cannot derive it.
  public var presentationTime: Int64?
  /// The decoding time; `nil` if the container does not contain it and libavformat cannot derive it.
  public var decodeTime: Int64?
  /// The duration; 0 if unknown.
  public var duration: Int64
  /// Whether decoding can begin with it, according to the container or a look at its beginning.
  public var isKey: Bool
  /// Whether the container's own checks found damage.
  public var isDamaged: Bool
  /// The coded bytes, in the framing of the container.
  public var bytes: [UInt8]
  /// The new decoder configuration from here on, if it changes.
  public var configuration: [UInt8]?
}

extension ForeignPacket {
  /// Creates a packet to be written.
  public init(
    stream: Int, presentationTime: Int64, decodeTime: Int64, duration: Int64, isKey: Bool,
    bytes: [UInt8]
  ) {
    self.init(
      stream: stream, presentationTime: presentationTime, decodeTime: decodeTime,
      duration: duration, isKey: isKey, isDamaged: false, bytes: bytes)
  }
}
