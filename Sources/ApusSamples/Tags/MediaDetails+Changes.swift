// SPDX-License-Identifier: MIT

package import ISOBMFF

extension MediaDetails {
  /// Sets tags, and removes those without a value, also in the boxes of a movie.
  package mutating func apply(_ changes: [TagChange]) {
    for change in changes {
      let place = tags.firstIndex { change.concerns($0.name) } ?? tags.count
      tags.removeAll { change.concerns($0.name) }
      if !change.value.isEmpty {
        tags.insert((change.name, change.value), at: min(place, tags.count))
      }
      // Without boxes, the tags are enough.
      if !boxes.isEmpty { MovieTags.apply(change, to: &boxes) }
    }
  }
}
