// SPDX-License-Identifier: MIT

/// The decoding times of one track, as far as `TimeRepair` has come.
struct TrackTimes: Sendable {
  let type: TagType
  let track: UInt8
  /// What is added to the times that are stored.
  var offset: Int64
  /// What was added before the last fall, and may be again: that fall may have been one wrong time.
  var earlier: Int64?
  private var sinceFall = 0
  /// The last time as it was stored.
  var stored: Int64
  /// The last time, and the one before it.
  private(set) var last: Int64
  private var before: Int64
  /// The usual distance of two tags, for the one at which times go on.
  private(set) var step: Int64 = 40

  /// How far a picture in the order of presentation may fall, in milliseconds: 16 pictures of 30 in a second.
  private static let longestFall: Int64 = 533
  /// How many tags have to follow before times that fell are taken for right.
  private static let trial = 8

  init(_ type: TagType, _ track: UInt8, offset: Int64, stored: Int64, time: Int64) {
    (self.type, self.track, self.offset, self.stored) = (type, track, offset, stored)
    (last, before) = (time, time - step)
  }

  /// Whether a time falls by less than the last step.
  func isStep(_ time: Int64) -> Bool {
    time < last && time > before && last - time <= Self.longestFall
  }

  /// Whether a time needs no offset of its own.
  func fits(_ time: Int64) -> Bool { time >= last || isStep(time) }

  /// Whether more than one time has come since the last fall.
  var hasSettled: Bool { sinceFall > 0 || earlier == nil }

  /// Times rise.
  mutating func rise(to time: Int64) {
    guard time > last else { return }
    step = min(time - last, 1000)
    (before, last) = (last, time)
  }

  /// Goes on at a time.
  mutating func jump(to time: Int64, from stored: Int64) {
    (earlier, sinceFall) = (offset, 0)
    offset = time - stored
    (before, last) = (last, time)
  }

  /// Takes back the last fall where the time `stored` goes on from before it.
  mutating func goBack(_ stored: Int64) {
    guard let earlier else { return }
    let (back, time, next) = (stored + earlier, stored + offset, last + step)
    if back >= last, (back - next).magnitude < (time - next).magnitude {
      offset = earlier
      self.earlier = nil
    } else {
      sinceFall += 1
      if sinceFall > Self.trial { self.earlier = nil }
    }
  }
}
