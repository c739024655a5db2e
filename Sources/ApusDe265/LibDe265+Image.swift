// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusDe265

extension LibDe265 {
  /// Returns a view of the planes of an image, cropped to its conformance window.
  @unsafe func view(of image: OpaquePointer) throws(MediaError) -> PictureView {
    let depths = [Int32(0), 1].map { plane in
      unsafe Int(call.de265_get_bits_per_pixel(image, plane))
    }
    let code = unsafe call.de265_get_chroma_format(image).rawValue
    guard let chroma = Chroma(rawValue: UInt8(truncatingIfNeeded: code)),
      (8...16).contains(depths[0])
    else { throw MediaError(.unsupported, "decodes to samples that are not known here") }
    guard chroma == .monochrome || depths[0] == depths[1] else {
      throw MediaError(
        .unsupported, "has luma of \(depths[0]) bits and colours of \(depths[1])")
    }
    let format = unsafe PictureFormat(
      width: Int(call.de265_get_image_width(image, 0)),
      height: Int(call.de265_get_image_height(image, 0)), chroma: chroma,
      bitDepth: depths[0])
    var view = unsafe PictureView(format: format, planes: [])
    for plane in 0..<format.planeCount {
      var stride: Int32 = 0
      guard let base = unsafe call.de265_get_image_plane(image, Int32(plane), &stride) else {
        throw MediaError(.corrupt, "lacks a plane")
      }
      unsafe view.planes.append(PictureView.Plane(base: base, stride: Int(stride)))
    }
    return unsafe view
  }

  /// Returns the library's text for an error or a warning.
  func text(_ code: de265_error) -> String {
    unsafe call.de265_get_error_text(code).map { unsafe String(cString: $0) }
      ?? "error \(code.rawValue)"
  }
}
