// SPDX-License-Identifier: MIT

internal import HEIF

/// What is decoded for a picture, and what is made of it; the engine carries it out.
struct Recipe {
  let setup: PictureSetup
  /// This is `nil` while it is not known.
  var maker: PictureMaker?
  /// Whether what there is of a broken picture is written.
  var salvages = false
  /// Whether several threads may decode inside of a picture that has no tiles to share.
  var sharesThreads = true
  /// The sides of what is written.
  var size: (width: Int, height: Int)

  init(
    setup: PictureSetup, maker: PictureMaker? = nil, salvages: Bool = false,
    sharesThreads: Bool = true
  ) {
    self.setup = setup
    self.maker = maker
    self.salvages = salvages
    self.sharesThreads = sharesThreads
    size = (setup.plan.width, setup.plan.height)
  }
}

/// What becomes of the bands of a picture.
struct PictureMaker: Sendable {
  let encoder: any PictureEncoder
  let conversion: BandConversion
  let output: any PhotoOutput
}
