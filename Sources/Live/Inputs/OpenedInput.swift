// SPDX-License-Identifier: MIT

internal import Flow

/// What is known of an input when it begins.
struct OpenedInput: Sendable {
  var tracks: [CodedTrack]
  var details = MediaDetails()
  /// What a person should know of it.
  var warnings: [String] = []
}
