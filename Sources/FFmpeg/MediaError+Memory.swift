// SPDX-License-Identifier: MIT

internal import Media

extension MediaError {
  static func noMemory(_ thing: String) -> MediaError {
    MediaError(.memory, "there is no memory for \(thing)")
  }
}
