// SPDX-License-Identifier: MIT

internal import Media

extension MediaError {
  /// The same, which happened in the track with this name.
  func inside(track name: String) -> MediaError {
    var error = self
    if let time {
      error.place = .time(time, in: name)
    } else {
      (error.subject, error.detail) = (.part(name), message)
    }
    return error
  }
}
