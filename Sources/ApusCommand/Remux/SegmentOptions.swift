// SPDX-License-Identifier: MIT

import Media
import Presentations
import Transcode

/// What a person says to `remux` about fragments and segments.
struct SegmentOptions: ArgumentGroup {
  static let heading = "Fragments and segments"

  var form = HLSOptions.Form.files
  var segmentDuration = MediaTime(milliseconds: 6000)
  var fragmentDuration: MediaTime?

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "segments", "FORM", &form,
      "for HLS: separate files or byte ranges")
    try v.option(
      "segment-duration", "TIME", &segmentDuration,
      "for HLS: maximum length of a segment, if key frames allow")
    try v.option(
      "fragment-duration", "TIME", &fragmentDuration,
      "for fmp4 and hls: cut fragments after this time, not at key frames")
  }

  /// Refuses times that no fragment can have.
  func check() throws(UsageError) {
    guard (100...3_600_000).contains(segmentDuration.milliseconds) else {
      throw UsageError(
        "--segment-duration is \(segmentDuration.argument), allowed are 0.1 seconds to an hour")
    }
    guard fragmentDuration.map({ (10...3_600_000).contains($0.milliseconds) }) ?? true else {
      throw UsageError("--fragment-duration is no time from 0.01 seconds to an hour")
    }
  }

  var hls: HLSOptions {
    var options = HLSOptions()
    options.form = form
    options.segmentDuration = .milliseconds(segmentDuration.milliseconds)
    options.fragmentDuration = fragmentDuration.map { .milliseconds($0.milliseconds) }
    return options
  }
}

extension HLSOptions.Form: ArgumentValue {}

extension SegmentOptions {
  /// Settings with key frames where segments begin, unless they say themselves where key frames are.
  func fitted(_ settings: TranscodeSettings) -> TranscodeSettings {
    var settings = settings
    guard settings.video.keyFrameInterval == nil, settings.video.keyFrameDuration == nil else {
      return settings
    }
    // Of a ladder every two seconds, or more often, such that one falls on each beginning of a segment.
    let parts = settings.ladder == nil ? 1 : (segmentDuration.milliseconds + 1999) / 2000
    settings.video.keyFrameDuration = RationalTime(
      Int64(segmentDuration.milliseconds), per: UInt32(1000 * max(parts, 1)))
    settings.video.hasClosedGroups = true
    return settings
  }
}
