// SPDX-License-Identifier: MIT

/// The treatment of a Live Photo's video, which is a separate file.
public enum LiveChoice: String, Hashable, Sendable, CaseIterable {
  /// The video is stored next to the output, byte for byte.
  case keep
  /// The video is appended to the picture, which becomes a motion photo.
  case motionPhoto = "motion-photo"
  /// The video is left where it is, and reported.
  case drop
}
