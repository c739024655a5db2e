// SPDX-License-Identifier: MIT

/// Turns the times of a stream into times that never decrease, and keeps the distances between its tags.
///
/// Times are tracked separately for each track: tags of pictures and sound are often slightly out of order relative to
/// each other, which is not a fault. Where the decoding times of a track decrease, because the encoder was restarted or
/// its clock was set, they continue after the last ones, by an offset that the other tracks adopt when they reach the
/// same place. A time that decreases by less than one step is held, because it is a single wrong tag, or a picture in
/// presentation order.
public struct TimeRepair: Sendable {
  /// The offset that was added to the last time.
  public private(set) var offset: Int64 = 0
  /// Whether the last time was held.
  public private(set) var isHeld = false
  /// The decoding time before the last one in its track, if the last one is lower; both as stored.
  public private(set) var fallsFrom: Int64?
  /// The number of times that were held so far.
  public private(set) var held = 0
  /// The number of decreases after which times were made continuous, each counted once for all tracks.
  public private(set) var restarts = 0
  private var lines: [TrackTimes] = []
  /// The offset since the last decrease in any track, and the index of that track.
  private var latest: Int64 = 0
  private var leader = 0

  /// The largest distance between tracks in a file, in milliseconds.
  private static let reach: Int64 = 10_000

  /// Creates a repair that has not seen any time.
  public init() {}

  /// Returns the time of a tag.
  ///
  /// - Parameters:
  ///   - isFrame: whether the tag has frames. Configurations and the ends of sequences often come with the time 0; they
  ///     do not get a time before that of the last frame of their track, and do not affect the times of frames.
  ///   - stored: the time as stored in the stream, by a `TagClock`.
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
      // The clock may return less than 0 where the first tags are out of order.
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

  /// Returns the time of a tag in which these packets were found.
  public mutating func time(of header: TagHeader, _ packets: [Packet], _ stored: Int64) -> Int64 {
    time(
      of: header.type, track: packets.first?.trackID ?? 0,
      isFrame: packets.contains { $0.kind == .frames }, stored)
  }

  /// Adopts the offset of another track whose times decreased, if that brings this track's tags closer to the other's.
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

  /// Continues a track whose times decreased after all earlier times.
  private mutating func goOn(_ index: Int, _ stored: Int64) -> Int64 {
    // A decrease after that of another track, by less than the distance between tracks, is at the same place.
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
