// SPDX-License-Identifier: MIT

internal import ApusMedia

/// A reduced picture in the format of its canvas.
struct ScaledPicture: Sendable {
  var colour: Picture
  var alpha: Picture?
}
