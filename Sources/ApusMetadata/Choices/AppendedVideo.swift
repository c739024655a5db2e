// SPDX-License-Identifier: MIT

/// A video after a picture, which makes it a motion photo: Motion Photo format 1.0.
public struct AppendedVideo: Hashable, Sendable {
  /// The size of the whole file, in bytes.
  public var size: Int
  /// The media type, `video/mp4` or `video/quicktime`.
  public var mediaType: String
  /// The time in the video at which the picture was taken, in microseconds; `nil` if unknown.
  public var stillTime: Int?

  public init(size: Int, mediaType: String, stillTime: Int? = nil) {
    self.size = size
    self.mediaType = mediaType
    self.stillTime = stillTime
  }
}
