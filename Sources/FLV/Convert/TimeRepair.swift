// SPDX-License-Identifier: MIT

/// Makes times that only rise of those that a stream has, and keeps the distances between its tags.
///
/// Each track has times of its own: tags of pictures and sound lie a little out of order beside each other, which is no
/// fault. Where the decoding times of one track fall, as those of an encoder do that begins again or whose clock was
/// set, they go on after the last ones, by an offset that the other tracks follow when they come to the same place. A
/// time that falls by less than one step is held, since it is one tag that is wrong, or a picture in the order of
/// presentation.
public struct TimeRepair: Sendable {
  /// What was added to the last time.
  public private(set) var offset: Int64 = 0
  /// Whether the last time was held.
  public private(set) var isHeld = false
  /// The decoding time before the last one in its track, where the last one falls below it; both as they were stored.
  public private(set) var fallsFrom: Int64?
  public private(set) var held = 0
  /// Falls after which times go on, each counted once for all tracks.
  public private(set) var restarts = 0
  private var lines: [TrackTimes] = []
  /// What was added since the last fall of any track, and which one that was.
  private var latest: Int64 = 0
  private var leader = 0

  /// How far tracks may be apart in a file, in milliseconds.
  private static let reach: Int64 = 10_000

  public init() {}

  /// The time of a tag.
  ///
  /// - Parameters:
  ///   - isFrame: whether the tag has frames. Configurations and the ends of sequences often come with the time 0; they
  ///     get none before that of the last frame of their track, and say nothing about the times of frames.
  ///   - stored: its time as it is in the stream, by a `TagClock`.
  public mutating func time(
    of type: TagType, track: UInt8 = 0, isFrame: Bool = true, _ stored: Int64
  ) -> Int64 {
    isHeld = false
    fallsFrom = nil
    let index = lines.firstIndex { $0.type == type && $0.track == track }
    guard type.isMedia, isFrame else {
      offset = index.map { lines[$0].offset } ?? latest
      let least = type.isMedia ? index.map { lines[$0].last } ?? 0 : 0
      return max(least, stored + offset)
    }
    guard let index else {
      // The clock may say less than 0 where the first tags are out of order.
      let time = max(0, stored + latest)
      (offset, isHeld) = (latest, time > stored + latest)
      if isHeld { held += 1 }
      lines.append(TrackTimes(type, track, offset: latest, stored: stored, time: time))
      return time
    }
    if lines[index].offset != latest { follow(index, stored) }
    lines[index].goBack(stored)
    if index == leader { latest = lines[index].offset }
    var time = stored + lines[index].offset
    if time < lines[index].last {
      fallsFrom = lines[index].stored
      if lines[index].isStep(time) {
        held += 1
        isHeld = true
        time = lines[index].last
      } else {
        time = goOn(index, stored)
      }
    } else {
      lines[index].rise(to: time)
    }
    lines[index].stored = stored
    offset = lines[index].offset
    return time
  }

  /// The time of a tag, of which this was found in it.
  public mutating func time(of header: TagHeader, _ packets: [Packet], _ stored: Int64) -> Int64 {
    time(
      of: header.type, track: packets.first?.trackID ?? 0,
      isFrame: packets.contains { $0.kind == .frames }, stored)
  }

  /// Another track has fallen: this one follows where its tags come nearer to those of the other by that.
  private mutating func follow(_ index: Int, _ stored: Int64) {
    let place = lines[leader].last
    let own = stored + lines[index].offset
    let joint = stored + latest
    guard lines[index].fits(joint), (joint - place).magnitude < Self.reach else { return }
    let isNearer = (joint - place).magnitude < (own - place).magnitude
    guard !lines[index].fits(own) || (isNearer && lines[leader].hasSettled) else { return }
    lines[index].offset = latest
    lines[index].earlier = nil
  }

  /// A track has fallen: it continues after all previous ones.
  private mutating func goOn(_ index: Int, _ stored: Int64) -> Int64 {
    // What falls after another track did, and by less than tracks are apart, is at the same place.
    let isSame =
      lines[index].offset != latest && (stored + latest - lines[index].last).magnitude < Self.reach
    if !isSame { restarts += 1 }
    var last = lines[index].last
    for line in lines where line.last > last && line.last - lines[index].last < Self.reach {
      last = line.last
    }
    let time = last + lines[index].step
    lines[index].jump(to: time, from: stored)
    (latest, leader) = (lines[index].offset, index)
    return time
  }
}
