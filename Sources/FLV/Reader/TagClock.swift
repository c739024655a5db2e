// SPDX-License-Identifier: MIT

/// Converts timestamps to times that continue when the timestamp wraps (RFC 1982 arithmetic).
///
/// The field has 32 bits. FFmpeg and OBS write 31 of them, so their streams wrap after 24.8 days; old encoders wrote
/// 24, which wrap after 4.66 hours. A wrap is distinguished from a jump by how closely it matches one of these periods.
public struct TagClock: Sendable {
  private var reference: Int64?
  private var bits: UInt32 = 32

  /// The largest difference from a full period for a decrease to count as a wrap, in milliseconds.
  private static let tolerance: Int64 = 60_000

  /// Creates a clock that the first timestamp will set.
  public init() {}

  /// Returns the time of a timestamp. Timestamps of script tags are converted but do not set the clock, because
  /// metadata in the middle of a stream often have 0.
  public mutating func time(of timestamp: UInt32, isScript: Bool = false) -> Int64 {
    guard let reference else {
      if !isScript { self.reference = Int64(timestamp) }
      return Int64(timestamp)
    }
    if isScript {
      return timestamp == 0 ? 0 : reference + distance(from: reference, to: timestamp)
    }
    if bits < 32, UInt64(timestamp) >> UInt64(bits) != 0 { bits = 32 }
    var step = distance(from: reference, to: timestamp)
    if bits == 32 {
      for narrow: UInt32 in [31, 24] where abs(step + 1 << Int64(narrow)) <= Self.tolerance {
        let width = Int64(1) << Int64(narrow)
        // A wrap begins near the top: the timestamp before it was close to the highest value.
        guard reference & (width - 1) >= width - Self.tolerance else { continue }
        bits = narrow
        step += width
        break
      }
    }
    let time = reference + step
    self.reference = time
    return time
  }

  /// Returns the shortest distance, forward or backward, modulo this number of bits.
  private func distance(from reference: Int64, to timestamp: UInt32) -> Int64 {
    let unused = 64 - Int64(bits)
    return ((Int64(timestamp) - reference) << unused) >> unused
  }
}
