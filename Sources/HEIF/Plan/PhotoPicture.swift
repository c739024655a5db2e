// SPDX-License-Identifier: MIT

/// A picture that a viewer would offer.
public struct PhotoPicture: Hashable, Sendable {
  /// The location of a picture in its file.
  public enum Place: Hashable, Sendable {
    case item(UInt32)
    /// A frame of a track, given by the track's ID and the index in display order.
    case frame(track: UInt32, index: Int)
  }

  /// The location of the picture in its file.
  public var place: Place
  /// Whether the picture represents the file.
  public var isPrimary: Bool

  public init(_ place: Place, isPrimary: Bool = false) {
    self.place = place
    self.isPrimary = isPrimary
  }
}
