// SPDX-License-Identifier: MIT

/// A picture as an encoder made it.
public struct EncodedPicture: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    /// Predicted from nothing, from pictures before, from pictures on both sides.
    case intra, predicted, bidirectional
  }

  /// The NAL units, each after its length in four bytes.
  public var payload: [UInt8]
  /// The time of presentation, in the units of the times that the encoder was given.
  public var presentationTime: Int64
  /// The time of decoding, never after presentation and always after that of the picture before; may begin below 0.
  public var decodeTime: Int64
  public var kind: Kind
  /// Whether decoding can begin with it.
  public var isKey: Bool

  public init(
    payload: [UInt8], presentationTime: Int64, decodeTime: Int64, kind: Kind, isKey: Bool
  ) {
    self.payload = payload
    self.presentationTime = presentationTime
    self.decodeTime = decodeTime
    self.kind = kind
    self.isKey = isKey
  }
}
