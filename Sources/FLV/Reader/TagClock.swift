// SPDX-License-Identifier: MIT

/// Timestamps made into times that go on where the timestamp wraps (RFC 1982 arithmetic).
///
/// The field has 32 bits. FFmpeg and OBS write 31 of them, so their streams fall by 2³¹ after 24.8 days;
/// old encoders wrote 24, which end after 4.66 hours. How exactly it hits distinguishes such a fall from a jump.
public struct TagClock: Sendable {
  private var reference: Int64?
  private var bits: UInt32 = 32

  /// How far from a full wrap a fall may be, in milliseconds.
  private static let tolerance: Int64 = 60_000

  public init() {}

  /// The time of a timestamp. Those of script tags are read by the clock but do not set it: metadata in
  /// mid-stream often says 0.
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
        // A wrap begins at the top: what comes before it was near the highest value.
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

  /// The nearest way, forward or back, in a circle of so many bits.
  private func distance(from reference: Int64, to timestamp: UInt32) -> Int64 {
    let unused = 64 - Int64(bits)
    return ((Int64(timestamp) - reference) << unused) >> unused
  }
}
