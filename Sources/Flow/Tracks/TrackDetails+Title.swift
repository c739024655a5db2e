// SPDX-License-Identifier: MIT

internal import Bytes

extension TrackDetails {
  /// The title; `nil` where there is none, or a program named the handler of the track rather than the track.
  package var givenTitle: String? {
    title.isEmpty || movie != nil && Self.isPlaceholder(title) ? nil : title
  }

  /// Whether a name is none that a person gave, but what programs write into the handler of every track.
  package static func isPlaceholder(_ title: String) -> Bool {
    let lower = title.lowercased()
    return lower.isEmpty || lower.holds("handle")
      || ["core media", "iso media", "gpac", "mainconcept", "#mainconcept"].contains {
        lower.hasPrefix($0)
      }
  }
}
