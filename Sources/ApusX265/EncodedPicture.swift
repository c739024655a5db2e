// SPDX-License-Identifier: MIT

/// An encoded picture.
public struct EncodedPicture: Hashable, Sendable {
  /// The prediction used in a picture.
  public enum Kind: String, Hashable, Sendable {
    /// Pictures that are intra coded, predicted from earlier pictures, or from both directions.
    case intra, predicted, bidirectional
  }

  /// The NAL units, each with a length prefix of four bytes.
  public var payload: [UInt8]
  /// The presentation time, in the units of the times given to the encoder.
  public var presentationTime: Int64
  /// The decoding time, never after presentation and always after that of the previous picture; may begin below 0.
  public var decodeTime: Int64
  /// The prediction used in the picture.
  public var kind: Kind
  /// Whether decoding can begin with the picture.
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
