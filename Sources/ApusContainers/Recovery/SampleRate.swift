// SPDX-License-Identifier: MIT

internal import ApusMedia

/// The constant rate of the samples of a track, in units of its timescale.
struct SampleRate: Sendable {
  /// The number of units that `samples` take together.
  var units: Int64
  var samples: Int64

  /// The rate of samples that all have the same duration.
  init(duration: Int64) { (units, samples) = (max(duration, 1), 1) }

  /// Creates the rate that fits most samples: their duration if nearly all have the same, and otherwise the mean of
  /// those that are similar to the most frequent one.
  ///
  /// - Parameter durations: the number of samples with each duration.
  init?(_ durations: [Int64: Int]) {
    let known = durations.filter { $0.key > 0 }
    guard let usual = known.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return nil }
    let total = known.values.reduce(0, +)
    // The last sample of a track often has another duration.
    guard usual.value < total - max(1, total / 20) else {
      (units, samples) = (usual.key, 1)
      return
    }
    let similar = known.filter { $0.key > usual.key / 2 && $0.key / 2 < usual.key }
    samples = Int64(similar.values.reduce(0, +))
    units = similar.reduce(0) { $0 &+ $1.key &* Int64($1.value) }
    guard samples > 0, units > 0 else { return nil }
  }

  /// Returns the time of a sample by its number, rounded down.
  func time(of number: Int) -> Int64 {
    if samples == 1 { return Int64(number) &* units }
    let product = Int64(number).multipliedFullWidth(by: units)
    guard product.high.magnitude < UInt64(samples) / 2 else {
      return Int64(number) &* (units / samples)
    }
    let (quotient, remainder) = samples.dividingFullWidth(product)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// Returns the time of a sample in seconds.
  func seconds(of number: Int, per timescale: UInt32) -> Double {
    Double(number) * Double(units) / Double(samples) / Double(max(timescale, 1))
  }
}
