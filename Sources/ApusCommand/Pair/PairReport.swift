// SPDX-License-Identifier: MIT

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

  /// The report as one line of JSON.
  var json: String {
    var json = JSONWriter("")
    json.object { json in
      json.field("picture", picture)
      json.field("video", video)
      json.field("content_identifier", identifier)
      json.field("still_time_us", stillTime)
      json.field("still_time_assumed", isStillTimeAssumed)
      if let outputs {
        json.field("output_picture", outputs.picture)
        json.field("output_video", outputs.video)
      }
      json.key("warnings")
      json.array { json in for warning in warnings { json.value(warning) } }
    }
    return json.output
  }
}
