// SPDX-License-Identifier: MIT

internal import HEIF

/// The pictures to decode and the output to make from them, for the engine to carry out.
struct Recipe {
  let setup: PictureSetup
  /// The maker; `nil` until it is known.
  var maker: PictureMaker?
  /// Whether the intact part of a broken picture is written.
  var salvages = false
  /// Whether several threads may decode a picture without tiles.
  var sharesThreads = true
  /// The size of the written picture.
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

/// The encoder, conversion and output for the bands of a picture.
struct PictureMaker: Sendable {
  let encoder: any PictureEncoder
  let conversion: BandConversion
  /// This is `nil` where nothing is written.
  let output: (any PhotoOutput)?
}
