// SPDX-License-Identifier: MIT

/// Spans of time in messages.
enum Duration {
  /// Such as `10 s` or `250 ms`.
  static func text(_ nanoseconds: Int64) -> String {
    if nanoseconds % 1_000_000_000 == 0 { return "\(nanoseconds / 1_000_000_000) s" }
    return "\(nanoseconds / 1_000_000) ms"
  }
}
