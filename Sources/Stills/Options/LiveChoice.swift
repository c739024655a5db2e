// SPDX-License-Identifier: MIT

/// What becomes of the video of a Live Photo, which is a file of its own beside the picture.
public enum LiveChoice: String, Hashable, Sendable, CaseIterable {
  /// Goes beside the output, byte for byte.
  case keep
  /// Follows the picture, which becomes a motion photo.
  case motionPhoto = "motion-photo"
  /// Stays where it is, and is reported.
  case drop
}
