// SPDX-License-Identifier: MIT

/// The times of sound frames in samples: containers that round to milliseconds make frames of equal length begin
/// slightly early or late.
struct SoundTimes: Sendable {
  /// The number of samples in a frame; 0 if frames differ or it is unknown.
  let frame: Int64
  /// The largest difference from the end of the last frame that counts as rounding.
  private let tolerance: Int64
  private var next: Int64?
  private(set) var repaired = 0
  private var frames = 0
  /// The duration of the last frame; 0 if unknown.
  private var last: Int64 = 0
  /// The shortest gap: times of short frames are rounded by as much as their duration.
  private let least: Int64
  private var allGaps = 0
  private var wasGap = false
  /// The number of gaps large enough for missing frames; 0 if gaps are common, because silence is left out.
  var gaps: Int { allGaps * 8 <= frames ? allGaps : 0 }

  init(frame: Int64, sampleRate: Int64) {
    self.frame = frame
    tolerance = sampleRate / 500 + 1
    least = sampleRate / 50
  }

  /// - Parameters:
  ///   - said: the given time; `nil` if it must be derived from the previous frames.
  ///   - duration: the given duration; 0 if unknown.
  mutating func time(_ said: Int64?, duration: Int64) -> (time: Int64, duration: Int64?) {
    frames += 1
    let isWhole = frame > 0 && (duration == 0 || (duration - frame).magnitude <= tolerance)
    let length = isWhole ? frame : duration
    let time: Int64
    if let next, let said, last > 0 { lookForGap(said - next) }
    if let next, let said, frame > 0 {
      time = (said - next).magnitude <= tolerance ? next : said
    } else {
      if said == nil { repaired += 1 }
      time = said ?? next ?? 0
    }
    next = length > 0 ? time + length : nil
    last = length
    return (time, length > 0 ? length : nil)
  }

  /// - Parameter step: the time from the end of the last frame to the beginning of the next.
  private mutating func lookForGap(_ step: Int64) {
    let shortest = max(last, least) - tolerance
    // libavformat also gives the times of a packet to the previous frame if a header spans two packets.
    if wasGap, step <= -shortest { allGaps -= 1 }
    wasGap = step >= shortest
    if wasGap { allGaps += 1 }
  }
}
