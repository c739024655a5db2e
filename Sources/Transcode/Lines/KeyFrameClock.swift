// SPDX-License-Identifier: MIT

internal import FFmpeg
internal import Media

/// Says which pictures are key frames where these are at fixed times: the first, and the last picture with which no
/// more than a period has passed since the key frame before. All rungs of a ladder take the same pictures and have the
/// same ones.
struct KeyFrameClock: Sendable {
  /// The longest time between key frames, and how long a picture is shown, in microseconds.
  private let period: Int64
  private let picture: Int64
  private var last: Int64?

  /// Times of milliseconds may lie that much beside those that they stand for.
  private static let tolerance: Int64 = 1000

  init(_ period: RationalTime, frameRate: Fraction) {
    self.period = max(period.rounded(to: 1_000_000) ?? 1, 1)
    let rate = (Int64(frameRate.numerator), Int64(max(frameRate.denominator, 1)))
    picture = rate.0 > 0 ? rate.1 * 1_000_000 / rate.0 : 0
  }

  /// Answers whether a picture, which is shown after those before it, is a key frame.
  mutating func isDue(at time: RationalTime) -> Bool {
    guard let moment = time.rounded(to: 1_000_000) else { return false }
    if let last, moment &+ picture &- last <= period + Self.tolerance { return false }
    last = moment
    return true
  }
}
