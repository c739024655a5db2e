// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusMedia
import ApusSamples
import ApusTranscode
import FLV

/// The encoder settings of a stream.
struct StreamCoding {
  var settings: TranscodeSettings

  /// - Parameter settings: the chosen settings; those that a stream needs are added.
  init(_ settings: TranscodeSettings) {
    self.settings = settings
    // Players of FLV decode nothing else.
    if self.settings.video.chroma == nil { self.settings.video.chroma = .yuv420 }
    guard settings.video.keyFrameInterval == nil, settings.video.keyFrameDuration == nil else {
      return
    }
    // A viewer who joins later, and a new connection, wait for the next key frame.
    self.settings.video.keyFrameDuration = .milliseconds(2000)
    self.settings.video.hasClosedGroups = true
  }

  /// Settings that are fast enough for live video.
  init(_ codecs: [VideoSettings.Codec], bitRate: Int?, _ make: EncoderMake) {
    var settings = TranscodeSettings()
    settings.video.codecs = codecs
    settings.video.speed = "superfast"
    make.apply(to: &settings.video)
    if let bitRate { settings.video.rate = .bitRate(bitRate, passes: 1) }
    self.init(settings)
  }

  /// - Parameter warnings: receives a line for each track that the stream cannot hold.
  func source(of input: MediaInput, _ warnings: inout [String]) throws
    -> any SampleSource & Sendable
  {
    var options = TranscodeJob.Options(.flv)
    options.settings = settings
    // Audio that every receiver supports.
    options.remux.dialect = .legacy
    let (source, leftOut) = try TranscodeJob(input, options: options).source()
    warnings += leftOut.map { "\($0.name) \($0.reason) and is left out" }
    if let fallback = EncoderChoice(settings.video).fallback {
      warnings.append("video \(fallback)")
    }
    return source
  }
}

extension String {
  /// Whether this is the address of an RTMP server.
  var isStreamAddress: Bool {
    let start = prefix(8).lowercased()
    return start.hasPrefix("rtmp://") || start.hasPrefix("rtmps://")
  }

  /// Whether this is an SRT address.
  var isSRTAddress: Bool { prefix(6).lowercased() == "srt://" }
}
