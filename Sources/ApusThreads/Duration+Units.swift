// SPDX-License-Identifier: MIT

extension Duration {
  /// The number of whole nanoseconds; that of 292 years for longer durations.
  package var nanoseconds: Int64 { Int64(clamping: whole / 1_000_000_000) }
  package var microseconds: Int64 { Int64(clamping: whole / 1_000_000_000_000) }
  package var milliseconds: Int64 { Int64(clamping: whole / 1_000_000_000_000_000) }

  /// The number of attoseconds.
  private var whole: Int128 {
    Int128(components.seconds) * 1_000_000_000_000_000_000 + Int128(components.attoseconds)
  }
}
