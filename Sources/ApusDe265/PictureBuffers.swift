// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusDe265

/// The memory for the pictures of a decoder, each with its marks.
///
/// libde265 uses this memory only for pictures without sample adaptive offset.
@safe final class PictureBuffers {
  @unsafe private struct Buffer {
    let picture: Picture
    let marks: CoverageMarks
  }

  private let call: apus_de265
  private var buffers: [OpaquePointer: Buffer] = unsafe [:]

  init(_ call: apus_de265) { self.call = call }

  /// Makes a decoder allocate from this memory, which must outlive it.
  func serve(_ context: UnsafeMutableRawPointer) {
    var functions = de265_image_allocation()
    unsafe functions.get_buffer = { _, specification, image, owner in
      guard let specification = unsafe specification, let image = unsafe image,
        let owner = unsafe owner
      else { return 0 }
      let buffers = unsafe Unmanaged<PictureBuffers>.fromOpaque(owner).takeUnretainedValue()
      return unsafe buffers.allocate(specification.pointee, for: image) ? 1 : 0
    }
    unsafe functions.release_buffer = { _, image, owner in
      guard let image = unsafe image, let owner = unsafe owner else { return }
      let buffers = unsafe Unmanaged<PictureBuffers>.fromOpaque(owner).takeUnretainedValue()
      unsafe buffers.buffers[image] = nil
    }
    unsafe call.de265_set_image_allocation_functions(
      context, &functions, Unmanaged.passUnretained(self).toOpaque())
  }

  private func allocate(_ specification: de265_image_spec, for image: OpaquePointer) -> Bool {
    let (width, height) = (Int(specification.width), Int(specification.height))
    guard width > 0, height > 0 else { return false }
    let chroma = unsafe call.de265_get_chroma_format(image).rawValue
    let depths = (0..<3).map { plane in
      unsafe Int(call.de265_get_bits_per_pixel(image, plane))
    }
    let picture = Picture(
      PictureFormat(
        width: width, height: height,
        chroma: Chroma(rawValue: UInt8(truncatingIfNeeded: chroma)) ?? .yuv444,
        bitDepth: max(depths.max() ?? 8, 8)))
    for plane in 0..<picture.format.planeCount {
      unsafe call.de265_set_image_plane(
        image, Int32(plane), picture.plane(plane), Int32(clamping: picture.strides[plane]), nil)
    }
    let marks = unsafe CoverageMarks(
      base: picture.plane(0), stride: picture.strides[0], width: width, height: height,
      bytesPerSample: depths[0] > 8 ? 2 : 1)
    unsafe buffers[image] = Buffer(picture: picture, marks: marks)
    return true
  }

  /// Returns whether a picture is in this memory, so that undecoded blocks can be reported.
  func holds(_ image: OpaquePointer) -> Bool { unsafe buffers[image] != nil }

  /// Returns the first undecoded block of a picture, in luma samples before cropping.
  func uncovered(_ image: OpaquePointer) -> (x: Int, y: Int)? {
    unsafe buffers[image]?.marks.uncovered()
  }
}
