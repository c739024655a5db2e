// SPDX-License-Identifier: MIT

internal import CApusSPNG

/// The pixel format to which libspng converts a PNG.
struct PNGPixelForm: Hashable, Sendable {
  /// The bits of each sample: 8 or 16.
  let bitDepth: Int
  /// Whether the alpha is needed instead of the colours.
  let isAlpha: Bool

  /// The number of samples in a pixel: libspng does not support 16 bits without alpha.
  var channels: Int { bitDepth == 16 || isAlpha ? 4 : 3 }

  func bytes(ofPixels count: Int) -> Int { count * channels * (bitDepth / 8) }

  /// The value of `spng_format`.
  var code: CInt {
    let form: spng_format =
      bitDepth == 16 ? SPNG_FMT_RGBA16 : isAlpha ? SPNG_FMT_RGBA8 : SPNG_FMT_RGB8
    return CInt(bitPattern: form.rawValue)
  }

  /// The flags, with which a transparent color in `tRNS` becomes alpha.
  var flags: CInt { isAlpha ? CInt(bitPattern: SPNG_DECODE_TRNS.rawValue) : 0 }
}
