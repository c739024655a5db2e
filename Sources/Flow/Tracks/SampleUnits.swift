// SPDX-License-Identifier: MIT

/// What the NAL units of a sample say of it.
package struct SampleUnits: Sendable {
  /// Whether a decoder can begin at the sample.
  package var isSync: Bool
  /// Whether the sample is made of whole NAL units; true of what has none.
  package var isWhole = true
  /// This is `nil` of what has no NAL units.
  package var hasParameterSets: Bool?
}
