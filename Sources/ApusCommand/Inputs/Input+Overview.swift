// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusFacts
import ApusFiles
import ApusMedia
import ApusSamples
import ApusStills

extension Input {
  /// Returns the facts of an input from its structure, and from its samples where needed.
  ///
  /// - Parameter observer: receives the samples of a movie's tracks, which are read for their facts.
  func overview(_ limits: Limits, observer: (any SampleObserver)? = nil) throws -> Overview {
    var overview = try Overview(
      of: source, limits: limits, observer: observer, keeping: LastValues.keep)
    if overview.kind == .jpeg, let finding = try Finding(damageOfJPEG: source) {
      overview.findings.append(finding)
    }
    guard overview.needsSamples else { return overview }
    do {
      let media = try media(limits)
      overview.notes = media.warnings
      overview.add(media.source)
    } catch {
      // What was found in a folder may be of any kind, and what it is was asked.
      let isUnknown = overview.kind == .unknown || overview.kind == .empty
      if isUnknown, !isFound { throw error }
      if !isUnknown { overview.notes.append("its samples cannot be read: \(error)") }
    }
    return overview
  }

  /// The samples of an input of any kind.
  func media(_ limits: Limits) throws -> MediaInput {
    var options = MediaInput.Options()
    options.limits = limits
    return try MediaInput.open(source, options: options.reading(self))
  }
}
