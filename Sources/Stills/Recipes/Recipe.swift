// SPDX-License-Identifier: MIT

/// What is decoded for a picture, and what is made of it; the engine carries it out.
struct Recipe {
  let setup: PictureSetup
  /// `nil` while it is not known.
  var maker: PictureMaker?
  /// Whether what there is of a broken picture is written.
  var salvages = false
  /// Whether several threads may decode inside of a picture that has no tiles to share.
  var sharesThreads = true
}

/// What becomes of the bands of a picture.
struct PictureMaker: Sendable {
  let encoder: any PictureEncoder
  let conversion: BandConversion
  let output: any PhotoOutput
}
