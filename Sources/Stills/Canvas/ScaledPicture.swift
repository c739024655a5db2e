// SPDX-License-Identifier: MIT

internal import Media

/// A small picture in the samples of its canvas.
struct ScaledPicture: Sendable {
  var colour: Picture
  var alpha: Picture?
}
