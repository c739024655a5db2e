// SPDX-License-Identifier: MIT

internal import ApusBytes

extension TrackDetails {
  /// The title; `nil` if there is none, or if it is only a handler name written by a program.
  package var givenTitle: String? {
    title.isEmpty || movie != nil && Self.isPlaceholder(title) ? nil : title
  }

  /// Returns whether a name was not given by a user, but is one that programs write into the handler of every track.
  package static func isPlaceholder(_ title: String) -> Bool {
    let lower = title.lowercased()
    return lower.isEmpty || lower.holds("handle")
      || ["core media", "iso media", "gpac", "mainconcept", "#mainconcept"].contains {
        lower.hasPrefix($0)
      }
  }
}
