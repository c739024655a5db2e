// SPDX-License-Identifier: MIT

/// The facts about a sample that its NAL units show.
package struct SampleUnits: Sendable {
  /// Whether a decoder can begin at the sample.
  package var isSync: Bool
  /// Whether the sample consists of whole NAL units; true for formats without them.
  package var isWhole = true
  /// Whether there are parameter sets; `nil` for formats without NAL units.
  package var hasParameterSets: Bool?
}
