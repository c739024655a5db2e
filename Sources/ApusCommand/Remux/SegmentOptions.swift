// SPDX-License-Identifier: MIT

import ApusMedia
import ApusPresentations
import ApusTranscode

/// The options for fragments and segments.
struct SegmentOptions: ArgumentGroup {
  static let heading = "HLS and fragments"

  var form = HLSOptions.Form.files
  var segmentDuration = MediaTime(milliseconds: 6000)
  var fragmentDuration: MediaTime?

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "segments", "FORM", &form,
      "HLS segments as files or byte ranges")
    try v.option(
      "segment-duration", "TIME", &segmentDuration,
      "maximum length of HLS segments")
    try v.option(
      "fragment-duration", "TIME", &fragmentDuration,
      "length of fragments in fmp4 and hls; otherwise one per key frame")
  }

  /// Throws if a time is out of range.
  func check() throws(UsageError) {
    guard (100...3_600_000).contains(segmentDuration.milliseconds) else {
      throw UsageError(
        "--segment-duration is \(segmentDuration.argument), expected 0.1 seconds to 1 hour")
    }
    guard fragmentDuration.map({ (10...3_600_000).contains($0.milliseconds) }) ?? true else {
      throw UsageError("--fragment-duration must be 0.01 seconds to 1 hour")
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
  /// Returns settings with key frames at the start of segments, unless they set key frames themselves.
  func fitted(_ settings: TranscodeSettings) -> TranscodeSettings {
    var settings = settings
    guard settings.video.keyFrameInterval == nil, settings.video.keyFrameDuration == nil else {
      return settings
    }
    // A ladder has key frames at least every two seconds, with one at the start of each segment.
    let parts = settings.ladder == nil ? 1 : (segmentDuration.milliseconds + 1999) / 2000
    settings.video.keyFrameDuration = RationalTime(
      Int64(segmentDuration.milliseconds), per: UInt32(1000 * max(parts, 1)))
    settings.video.hasClosedGroups = true
    return settings
  }
}
