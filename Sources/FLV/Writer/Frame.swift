// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia

/// A coded picture or piece of sound on its way into tags.
public struct Frame: Sendable {
  /// The kind of media.
  public enum Media: Hashable, Sendable {
    case video, audio
  }

  /// The kind of media.
  public var media: Media
  /// The ID of the track among those of its kind.
  public var trackID: UInt8
  /// The time at which it is decoded; must not decrease within a track.
  public var decodeTime: RationalTime
  /// The time at which it is shown or heard.
  public var presentationTime: RationalTime
  /// NAL units preceded by their lengths, a raw AAC frame without header, and so on.
  public var payload: Extent
  /// Whether a decoder can begin here. For HEVC and AVC the NAL units decide, whatever the value.
  public var isKey: Bool

  /// Creates a frame.
  ///
  /// - Parameter presentationTime: the time at which it is shown or heard; `nil` for `decodeTime`.
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
