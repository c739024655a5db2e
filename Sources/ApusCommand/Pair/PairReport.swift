// SPDX-License-Identifier: MIT

/// What became of a picture and its video.
struct PairReport {
  var picture: String
  /// The file that the video came from, which a motion photo is itself.
  var video: String
  var identifier: String
  /// When in the video the picture was taken, in microseconds.
  var stillTime = 0
  var isStillTimeAssumed = false
  var outputs: (picture: String, video: String)?
  var warnings: [String] = []

  init(picture: String, video: String, identifier: String) {
    self.picture = picture
    self.video = video
    self.identifier = identifier
  }

  /// One line.
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
