// SPDX-License-Identifier: MIT

import ApusFacts

/// The result of a picture and its video.
struct PairReport {
  var picture: String
  /// The file of the video, which may be a motion photo.
  var video: String
  var identifier: String
  /// The time of the picture in the video, in microseconds.
  var stillTime = 0
  var isStillTimeAssumed = false
  var outputs: (picture: String, video: String)?
  var warnings: [String] = []

  init(picture: String, video: String, identifier: String) {
    self.picture = picture
    self.video = video
    self.identifier = identifier
  }
}

extension PairReport: Described {
  static let title = "pair"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == PairReport {
    v.required("picture", "The path of the picture as given or found.") { $0.picture }
    v.required("video", "The path of its video; for a motion photo, the same file.") { $0.video }
    v.required("content_identifier", "The content identifier of both.") { $0.identifier }
    v.required("still_time_us", "The time of the picture in the video, in microseconds.") {
      $0.stillTime
    }
    v.required(
      "still_time_assumed", "Whether the time is unknown and the middle of the video is used."
    ) { $0.isStillTimeAssumed }
    let hint = "with --dry-run, the one that would be written"
    v.optional("output_picture", "The path of the output picture; \(hint).") {
      $0.outputs?.picture
    }
    v.optional("output_video", "The path of the output video; \(hint).") { $0.outputs?.video }
    v.required("warnings", "The warnings.") { $0.warnings }
  }
}
