// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia

/// A coded picture or piece of sound on its way into tags.
public struct Frame: Sendable {
  public enum Media: Hashable, Sendable {
    case video, audio
  }

  public var media: Media
  public var trackID: UInt8
  public var decodeTime: RationalTime
  public var presentationTime: RationalTime
  /// NAL units preceded by their lengths, a raw AAC frame without header, and so on.
  public var payload: Extent
  /// Whether a decoder can begin here. For HEVC and AVC the NAL units decide, whatever the value.
  public var isKey: Bool

  public init(
    _ media: Media, trackID: UInt8 = 0, decodeTime: RationalTime,
    presentationTime: RationalTime? = nil, payload: Extent, isKey: Bool = false
  ) {
    self.media = media
    self.trackID = trackID
    self.decodeTime = decodeTime
    self.presentationTime = presentationTime ?? decodeTime
    self.payload = payload
    self.isKey = isKey
  }
}
