// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMetadata

/// A JPEG that becomes a JPEG: its bytes are copied, except for the announcement of a video after it.
struct CopiedJPEG {
  private(set) var content: [Extent]
  private(set) var warnings: [String] = []
  /// Whether the video that should follow the picture cannot be attached.
  private(set) var leavesVideo = false

  /// - Parameter video: the video that follows the picture.
  init(_ photo: JPEGPhoto, video: LiveVideo?) throws {
    content = [photo.data]
    guard let video else {
      warnings.append("is already a JPEG and was copied")
      return
    }
    let segments = try JPEGSegments(photo.data)
    guard !MotionJPEG.isMotionPhoto(segments) else {
      leavesVideo = true
      warnings = [
        "is already a motion photo, and gets no other video",
        "is already a JPEG and was copied",
      ]
      return
    }
    let motion = try MotionJPEG(photo.data, segments, video: video.appended)
    let rest = photo.data.range.lowerBound + motion.replacedCount..<photo.data.range.upperBound
    content = [Extent(motion.head), Extent(photo.data.source, rest), video.extent]
    warnings.append("is already a JPEG and was copied with its video")
    if !segments.contentCredentials.isEmpty {
      warnings.append(
        "its Content Credentials (C2PA) are no longer valid, because its bytes changed")
    }
  }
}
