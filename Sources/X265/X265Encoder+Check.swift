// SPDX-License-Identifier: MIT

public import Media

extension X265Encoder {
  /// Throws where there is no libx265 for samples of so many bits.
  public static func check(bitDepth: Int) throws(PictureError) {
    _ = try LibX265.load(bitDepth: bitDepth)
  }
}
