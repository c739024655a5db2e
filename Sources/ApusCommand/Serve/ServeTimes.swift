// SPDX-License-Identifier: MIT

/// How long requests of each kind have taken lately.
struct ServeTimes: Sendable {
  private var means: [String: Double] = [:]

  /// What a request is expected to take as long as none of its kind was carried out.
  private static let assumed = 0.25
  /// The share of the newest time in a mean.
  private static let weight = 0.2

  /// How many seconds a request of that kind is expected to take.
  func expected(_ kind: String) -> Double { means[kind] ?? Self.assumed }

  mutating func add(_ seconds: Double, _ kind: String) {
    let mean = expected(kind)
    means[kind] = mean + (seconds - mean) * Self.weight
  }
}
