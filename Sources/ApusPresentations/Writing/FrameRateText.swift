// SPDX-License-Identifier: MIT

internal import ApusMedia

/// The notation for frames per second in playlists, in thousandths (`FRAME-RATE`): RFC 8216, 4.3.4.2.
enum FrameRateText {
  /// Returns the rate, corrected for the rounding of times in containers, which turns 90 into 89.999: a rate that is
  /// close to one that cameras use becomes that one.
  static func rate(frames: Int, microseconds: Int64) -> RationalTime? {
    guard frames > 0, microseconds > 0 else { return nil }
    let rate = Double(frames) * 1_000_000 / Double(microseconds)
    let whole = rate.rounded()
    let film = (rate * 1.001).rounded() / 1.001
    let near = [whole, film].min { abs($0 - rate) < abs($1 - rate) } ?? rate
    let isNear = whole > 0 && abs(near - rate) <= rate * tolerance
    guard let value = Int64(exactly: ((isNear ? near : rate) * 1000).rounded()) else { return nil }
    return .milliseconds(value)
  }

  /// A fifth of the relative difference between 29.97 and 30.
  private static let tolerance = 0.0002
}
