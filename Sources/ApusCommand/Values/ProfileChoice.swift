// SPDX-License-Identifier: MIT

import ApusMedia
import ApusTranscode

/// A profile such as `main`, and its picture format.
enum ProfileChoice: String, ArgumentValue, CaseIterable {
  case main, main10
  case mainStill = "main-still"
  case high, high10

  func apply(to video: inout VideoSettings) {
    video.profile = self == .mainStill ? "mainstillpicture" : rawValue
    video.bitDepth = self == .main10 || self == .high10 ? 10 : 8
    video.chroma = .yuv420
    if self == .mainStill {
      video.mostPictures = 1
      video.x265Parameters += [.init("total-frames", "1"), .init("keyint", "1")]
    }
  }
}
