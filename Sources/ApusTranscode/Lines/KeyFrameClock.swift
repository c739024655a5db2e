// SPDX-License-Identifier: MIT

internal import ApusFFmpeg
internal import ApusMedia

/// Determines which pictures become key frames when these are at fixed times: the first, and each last picture that is
/// no more than a period after the previous key frame. All rungs of a ladder get the same pictures and thus the same
/// key frames.
struct KeyFrameClock: Sendable {
  /// The longest time between key frames, and the duration of a picture, in microseconds.
  private let period: Int64
  private let picture: Int64
  private var last: Int64?

  /// The rounding error of times in milliseconds, in microseconds.
  private static let tolerance: Int64 = 1000

  init(_ period: RationalTime, frameRate: Fraction) {
    self.period = max(period.rounded(to: 1_000_000) ?? 1, 1)
    let rate = (Int64(frameRate.numerator), Int64(max(frameRate.denominator, 1)))
    picture = rate.0 > 0 ? rate.1 * 1_000_000 / rate.0 : 0
  }

  /// Returns whether a picture, which is shown after the previous ones, is a key frame.
  mutating func isDue(at time: RationalTime) -> Bool {
    guard let moment = time.rounded(to: 1_000_000) else { return false }
    if let last, moment &+ picture &- last <= period + Self.tolerance { return false }
    last = moment
    return true
  }
}
