// SPDX-License-Identifier: MIT

internal import HEIF

/// A picture with everything needed to convert it.
struct PendingPicture: Sendable {
  var picture: PhotoPicture
  var source: any PictureSource
  var options: ConvertOptions
  /// Keywords and texts for a PNG.
  var texts: [(keyword: String, text: String)] = []
  /// The video that is written after the picture.
  var video: LiveVideo?
  /// Whether the video in its file is written to a separate file.
  var hasVideoBeside = false
  /// The table for writing samples as numbers into a grey PNG.
  var plane: PlaneTable?
  /// The other sizes in which the picture is made.
  var sizes: PictureSizes?
}
