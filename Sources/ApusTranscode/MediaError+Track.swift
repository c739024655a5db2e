// SPDX-License-Identifier: MIT

internal import ApusMedia

extension MediaError {
  /// Returns the error with the name of the track in which it occurred.
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
