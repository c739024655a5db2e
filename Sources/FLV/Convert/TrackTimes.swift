// SPDX-License-Identifier: MIT

/// The decoding times of one track, as far as `TimeRepair` has come.
struct TrackTimes: Sendable {
  let type: TagType
  let track: UInt8
  /// The offset that is added to stored times.
  var offset: Int64
  /// The offset before the last decrease, which may apply again if that was a single wrong time.
  var earlier: Int64?
  private var sinceFall = 0
  /// The last time as stored.
  var stored: Int64
  /// The last time, and the previous one.
  private(set) var last: Int64
  private var before: Int64
  /// The usual distance between two tags, used where times are made continuous.
  private(set) var step: Int64 = 40

  /// The largest decrease for a picture in presentation order, in milliseconds: 16 pictures at 30 per second.
  private static let longestFall: Int64 = 533
  /// The number of tags that must follow before decreased times are accepted.
  private static let trial = 8

  init(_ type: TagType, _ track: UInt8, offset: Int64, stored: Int64, time: Int64) {
    (self.type, self.track, self.offset, self.stored) = (type, track, offset, stored)
    (last, before) = (time, time - step)
  }

  /// Returns whether a time decreases by less than the last step.
  func isStep(_ time: Int64) -> Bool {
    time < last && time > before && last - time <= Self.longestFall
  }

  /// Returns whether a time needs no further offset.
  func fits(_ time: Int64) -> Bool { time >= last || isStep(time) }

  /// Whether more than one time has come since the last fall.
  var hasSettled: Bool { sinceFall > 0 || earlier == nil }

  /// Records a time that is later than the last one.
  mutating func rise(to time: Int64) {
    guard time > last else { return }
    step = min(time - last, 1000)
    (before, last) = (last, time)
  }

  /// Continues at a time, with a new offset.
  mutating func jump(to time: Int64, from stored: Int64) {
    (earlier, sinceFall) = (offset, 0)
    offset = time - stored
    (before, last) = (last, time)
  }

  /// Takes back the last decrease if the time `stored` continues from before it.
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
