// SPDX-License-Identifier: MIT

internal import CSPNG

/// The pixels that libspng makes of those of a PNG.
struct PNGPixelForm: Hashable, Sendable {
  /// The bits of each sample: 8 or 16.
  let bitDepth: Int
  /// Whether the alpha is wanted, and not the colours.
  let isAlpha: Bool

  /// Samples of a pixel: libspng has no 16 bits without alpha.
  var channels: Int { bitDepth == 16 || isAlpha ? 4 : 3 }

  func bytes(ofPixels count: Int) -> Int { count * channels * (bitDepth / 8) }

  /// An `spng_format`.
  var code: CInt {
    let form: spng_format =
      bitDepth == 16 ? SPNG_FMT_RGBA16 : isAlpha ? SPNG_FMT_RGBA8 : SPNG_FMT_RGB8
    return CInt(bitPattern: form.rawValue)
  }

  /// A transparent color of `tRNS` becomes alpha.
  var flags: CInt { isAlpha ? CInt(bitPattern: SPNG_DECODE_TRNS.rawValue) : 0 }
}
