// SPDX-License-Identifier: MIT

/// The size of pictures and of their samples.
struct PictureShape: Hashable, Sendable {
  var width: Int
  var height: Int
  /// The shape of a sample, width to height.
  var horizontalSpacing = 1
  var verticalSpacing = 1

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  var hasSquareSamples: Bool { horizontalSpacing == verticalSpacing }

  /// The width as the picture is shown, in 16.16 fixed point: samples that are not square make it wider or narrower.
  var shownWidth: UInt32 {
    let scaled = UInt64(clamping: width) << 16
    let (product, overflow) = scaled.multipliedReportingOverflow(
      by: UInt64(clamping: horizontalSpacing))
    guard verticalSpacing > 0, !overflow else { return UInt32(clamping: scaled) }
    return UInt32(clamping: product / UInt64(verticalSpacing))
  }

  var shownHeight: UInt32 { UInt32(clamping: UInt64(clamping: height) << 16) }
}
