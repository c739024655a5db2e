// SPDX-License-Identifier: MIT

public import ApusMedia

/// The output of an encoder for a picture or a frame of sound.
public struct EncodedPacket: Sendable {
  /// The coded bytes.
  public var bytes: [UInt8]
  /// The time at which it is decoded.
  public var decodeTime: RationalTime
  /// The time at which it is shown or heard.
  public var presentationTime: RationalTime
  /// The duration in the units of the times; 0 where unknown.
  public var duration: Int64
  /// Whether a decoder can begin here.
  public var isKey: Bool
}
