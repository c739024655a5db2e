// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusFFmpeg

/// The pictures that a decoder allocates for one coded picture, each with its marks.
@safe final class PictureBuffers: FrameOwner {
  let library: LibAV
  /// The pictures in the order of their allocation.
  private var pictures: [CoverageMarks] = unsafe []

  init(_ library: LibAV) { self.library = library }

  func forget() { unsafe pictures = [] }

  /// The number of pictures since the last reset: if it exceeds the number of samples, the decoder invented a picture
  /// to which others refer.
  var count: Int { unsafe pictures.count }

  @unsafe func mark(_ frame: UnsafeMutablePointer<AVFrame>, of context: UInt) {
    if let marks = unsafe marks(on: frame) { unsafe pictures.append(marks) }
  }

  /// Returns the first block of a picture that was not decoded, in luma samples before cropping.
  @unsafe func uncovered(_ frame: UnsafeMutablePointer<AVFrame>) -> (x: Int, y: Int)? {
    guard let data = unsafe frame.pointee.data.0 else { return nil }
    let start = UnsafeMutableRawPointer(data)
    // Cropping moves the first sample, which is still inside its picture.
    let marks = unsafe pictures.last { unsafe $0.contains(start) }
    return unsafe marks?.uncovered()
  }
}
