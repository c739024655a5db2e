// SPDX-License-Identifier: MIT

internal import ApusMedia

extension MediaError {
  static func noMemory(_ thing: String) -> MediaError {
    MediaError(.memory, "not enough memory for \(thing)")
  }
}
