// SPDX-License-Identifier: MIT

/// Durations in messages.
enum Duration {
  /// Returns a text such as `10 s` or `250 ms`.
  static func text(_ nanoseconds: Int64) -> String {
    if nanoseconds % 1_000_000_000 == 0 { return "\(nanoseconds / 1_000_000_000) s" }
    return "\(nanoseconds / 1_000_000) ms"
  }
}
