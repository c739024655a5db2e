// SPDX-License-Identifier: MIT

import Bytes
import Containers
import FLV
import Flow
import Media
import Transcode

/// What becomes of media on their way into a stream.
struct StreamCoding {
  var settings: TranscodeSettings

  /// - Parameter settings: those that were chosen; what a stream needs beside them is added.
  init(_ settings: TranscodeSettings) {
    self.settings = settings
    // FLV players decode no other.
    if self.settings.video.chroma == nil { self.settings.video.chroma = .yuv420 }
    guard settings.video.keyFrameInterval == nil, settings.video.keyFrameDuration == nil else {
      return
    }
    // A viewer who comes later, and a connection made anew, waits for the next key frame.
    self.settings.video.keyFrameDuration = .milliseconds(2000)
    self.settings.video.hasClosedGroups = true
  }

  /// Fast enough to be live.
  init(_ codecs: [VideoSettings.Codec], bitRate: Int?) {
    var settings = TranscodeSettings()
    settings.video.codecs = codecs
    settings.video.speed = "superfast"
    if let bitRate { settings.video.rate = .bitRate(bitRate, passes: 1) }
    self.init(settings)
  }

  /// - Parameter warnings: gets what cannot be carried in the stream.
  func source(of input: MediaInput, _ warnings: inout [String]) throws
    -> any SampleSource & Sendable
  {
    var options = TranscodeJob.Options(.flv)
    options.settings = settings
    // Sound that every receiver knows.
    options.remux.dialect = .legacy
    let (source, leftOut) = try TranscodeJob(input, options: options).source()
    warnings += leftOut.map { "\($0.name) \($0.reason) and is left out" }
    return source
  }
}

extension String {
  /// Whether it names a server that streams are published to.
  var isStreamAddress: Bool {
    let start = prefix(8).lowercased()
    return start.hasPrefix("rtmp://") || start.hasPrefix("rtmps://")
  }

  /// Whether it names the other end of an SRT connection.
  var isSRTAddress: Bool { prefix(6).lowercased() == "srt://" }
}
