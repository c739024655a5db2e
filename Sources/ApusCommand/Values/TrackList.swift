// SPDX-License-Identifier: MIT

import ApusSamples

/// A list of tracks: `v:0,a:1`, or `a` for all audio tracks.
struct TrackList: ArgumentValue {
  var choices: [TrackSelection.Choice]

  init?(argument: String) {
    choices = []
    for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = word.split(separator: ":", omittingEmptySubsequences: false)
      guard let family = parts.first.flatMap({ TrackSelection.Family(rawValue: String($0)) }),
        parts.count <= 2
      else { return nil }
      guard parts.count == 2 else {
        choices.append(TrackSelection.Choice(family))
        continue
      }
      guard let number = UInt16(parts[1]) else { return nil }
      choices.append(TrackSelection.Choice(family, Int(number)))
    }
  }

  static var expected: String { "tracks such as v:0,a:1, or a kind such as a (v, a, s, d)" }
  var argument: String { choices.map(\.description).joined(separator: ",") }
}
