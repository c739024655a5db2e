// SPDX-License-Identifier: MIT

internal import Media

/// Frames a second as playlists say them, in thousandths (`FRAME-RATE`): RFC 8216, 4.3.4.2.
enum FrameRateText {
  /// Containers round the times of frames, which makes 89.999 of 90; a rate that is almost one that cameras have is
  /// that one.
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

  /// A fifth of what tells 29.97 from 30.
  private static let tolerance = 0.0002
}
