// SPDX-License-Identifier: MIT

/// Makes times that only rise of those that a file has: where a recording begins again its times go on
/// after the last ones, and where a decoding time falls a little it is held.
public struct TimeRepair: Sendable {
  /// What is added to every time.
  public private(set) var offset: Int64 = 0
  /// Whether the last time was held.
  public private(set) var isHeld = false
  private var lastAudio: Int64 = 0
  private var lastVideo: Int64 = 0
  /// The time between the last two pictures, for the one at which a recording begins again.
  private var step: Int64 = 1
  public private(set) var held = 0
  public private(set) var restarts = 0

  /// A fall by more than this is a new beginning.
  private static let tolerance: Int64 = 5000

  public init() {}

  mutating func time(of tag: Tag) -> Int64 { time(of: tag.header.type, tag.time) }

  /// The time of a tag of this type that has the time `stored`.
  public mutating func time(of type: TagType, _ stored: Int64) -> Int64 {
    isHeld = false
    guard type.isMedia else { return max(0, stored + offset) }
    let isVideo = type == .video
    let last = isVideo ? lastVideo : lastAudio
    var time = stored + offset
    if time < last - Self.tolerance {
      restarts += 1
      let next = max(lastAudio, lastVideo) + step
      offset += next - time
      time = next
    } else if time < last {
      held += 1
      isHeld = true
      time = last
    }
    if isVideo {
      if time > last { step = min(time - last, 1000) }
      lastVideo = time
    } else {
      lastAudio = time
    }
    return time
  }
}
