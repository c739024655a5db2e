// SPDX-License-Identifier: MIT

/// Times of frames of sound in samples: containers that round to milliseconds let frames of equal length begin a
/// little early or late.
struct SoundTimes: Sendable {
  /// Samples in a frame; 0 where frames differ or that is not known.
  let frame: Int64
  /// How far a time may be from where the last frame ended and mean that.
  private let tolerance: Int64
  private var next: Int64?
  private(set) var repaired = 0
  private var frames = 0
  /// The length of the last frame; 0 where unknown.
  private var last: Int64 = 0
  /// No shorter gap is one: times of short frames are rounded by as much as those last.
  private let least: Int64
  private var allGaps = 0
  private var wasGap = false
  /// How often a frame begins so long after the end of the one before that others fit between them; 0 where that is usual,
  /// as where silence is left out.
  var gaps: Int { allGaps * 8 <= frames ? allGaps : 0 }

  init(frame: Int64, sampleRate: Int64) {
    self.frame = frame
    tolerance = sampleRate / 500 + 1
    least = sampleRate / 50
  }

  /// - Parameters:
  ///   - said: `nil` where only the frames before tell it.
  ///   - duration: 0 where unknown.
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

  /// - Parameter step: from the end of the last frame to the beginning of the next.
  private mutating func lookForGap(_ step: Int64) {
    let shortest = max(last, least) - tolerance
    // libavformat gives the times of a packet to the frame before, too, where a header lies across two packets.
    if wasGap, step <= -shortest { allGaps -= 1 }
    wasGap = step >= shortest
    if wasGap { allGaps += 1 }
  }
}
