// SPDX-License-Identifier: MIT

internal import ApusSamples

/// The facts about an input that are known when it begins.
struct OpenedInput: Sendable {
  var tracks: [CodedTrack]
  var details = MediaDetails()
  /// Warnings for the user.
  var warnings: [String] = []
}
