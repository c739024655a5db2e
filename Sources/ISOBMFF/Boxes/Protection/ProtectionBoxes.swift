// SPDX-License-Identifier: MIT

/// Protection schemes and common encryption.
enum ProtectionBoxes {
  static let all: [any Box.Type] = [
    OriginalFormat.self, SchemeType.self, TrackEncryption.self,
    ProtectionSystemSpecificHeader.self, StereoVideo.self,
  ]
}
