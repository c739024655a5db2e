// SPDX-License-Identifier: MIT

internal import ApusMedia

/// The offsets added to the times of a container after jumps; its tracks jump together, one after the other.
struct TimeJumps: Sendable {
  /// The offset since the last jump of any track.
  fileprivate var latest = RationalTime(0, per: 1000)
  /// The numbers of times that times started over, and that a gap was closed.
  fileprivate(set) var restarts = 0
  fileprivate(set) var gaps = 0
}

/// Makes the times of a stream continuous: times that wrap, start over or leap continue from the previous ones.
struct TimeLine: Sendable {
  private let timescale: UInt32
  /// The number of the timescale's units in one of the stream's.
  private let scale: Int64
  /// The units of the stream after which times wrap; 0 if they do not.
  private let period: Int64
  private let closesGaps: Bool
  private var turns: Int64 = 0
  private var offset: Int64 = 0
  private var last: Int64?
  private var step: Int64 = 0
  private(set) var wraps = 0

  /// - Parameter closesGaps: whether leaps in the container's times may be meaningless.
  init(timescale: UInt32, scale: Int64, timeBits: Int, closesGaps: Bool) {
    self.timescale = timescale
    self.scale = scale
    period = timeBits < 63 ? 1 << Int64(max(timeBits, 16)) : 0
    self.closesGaps = closesGaps
  }

  /// Returns the adjusted times of a sample, decoding time first; `nil` if they are out of range.
  mutating func moved(_ decode: Int64?, _ shown: Int64?, duration: Int64, _ jumps: inout TimeJumps)
    -> (decode: Int64?, shown: Int64?)?
  {
    guard let leader = decode ?? shown else { return (nil, nil) }
    guard let time = unwrapped(leader).flatMap(scaled) else { return nil }
    settle(time, &jumps)
    let here = time &+ offset
    if let last, here > last { step = min(here - last, Int64(timescale)) }
    last = here
    guard let decode, let shown else { return (decode.map { _ in here }, shown.map { _ in here }) }
    // They differ by less than a period.
    var difference = shown.subtractingReportingOverflow(decode)
    if period > 0, difference.partialValue.magnitude > period / 2 {
      difference.partialValue += difference.partialValue < 0 ? period : -period
    }
    guard !difference.overflow, let ahead = scaled(difference.partialValue) else { return nil }
    return (here, here &+ ahead)
  }

  /// Returns a time of the stream in units of the timescale; `nil` if it is out of range.
  func scaled(_ time: Int64) -> Int64? {
    let (product, overflow) = time.multipliedReportingOverflow(by: scale)
    return overflow || product.magnitude >= 1 << 61 ? nil : product
  }

  private var previous: Int64?

  private mutating func unwrapped(_ time: Int64) -> Int64? {
    guard period > 0, time.magnitude < UInt64(period) << 4 else { return period > 0 ? nil : time }
    if let previous {
      let step = time &+ turns &* period - previous
      if step < -period / 2 {
        turns += 1
        wraps += 1
      } else if step > period / 2 {
        turns -= 1
        wraps += 1
      }
    }
    let result = time &+ turns &* period
    previous = result
    return result
  }

  /// The decrease above which times are considered to start over, and the leap above which it is closed, in seconds.
  private static let fall: Int64 = 1
  private static let leap: Int64 = 10

  private mutating func settle(_ time: Int64, _ jumps: inout TimeJumps) {
    guard let last else {
      offset = jumps.latest.rounded(to: timescale) ?? 0
      return
    }
    let delta = time &+ offset &- last
    let second = Int64(timescale)
    let falls = delta < -Self.fall * second
    guard falls || (closesGaps && delta > Self.leap * second) else { return }
    // If another track has jumped already, this one follows it.
    if let other = jumps.latest.rounded(to: timescale) {
      let again = time &+ other &- last
      if other != offset, again > -second, again < Self.leap * second {
        offset = other
        return
      }
    }
    offset = last &+ max(step, 1) &- time
    jumps.latest = RationalTime(offset, per: timescale)
    if falls { jumps.restarts += 1 } else { jumps.gaps += 1 }
  }
}
