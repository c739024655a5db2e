// SPDX-License-Identifier: MIT

/// An ICC profile in segments of a JPEG, each of which states its number, from 1, and the total: ICC.1:2022, B.4.
struct ICCParts {
  private var parts: [UInt8: ArraySlice<UInt8>] = [:]
  private var count: UInt8?
  private var hasContradiction = false

  mutating func add(_ segment: ArraySlice<UInt8>) {
    guard let number = segment.first, let count = segment.dropFirst().first, segment.count > 2
    else { return }
    let part = segment.dropFirst(2)
    if let before = parts[number], before != part { hasContradiction = true }
    if let before = self.count, before != count { hasContradiction = true }
    self.count = count
    parts[number] = part
  }

  /// The profile assembled from its parts, complete or not; `nil` if there is none, or parts belong to different ones.
  var profile: [UInt8]? {
    guard !parts.isEmpty, !hasContradiction else { return nil }
    return Array(parts.sorted { $0.key < $1.key }.map(\.value).joined())
  }

  /// A warning about lost data.
  var omission: String? {
    hasContradiction ? "the ICC profile is left out because its parts contradict each other" : nil
  }
}
