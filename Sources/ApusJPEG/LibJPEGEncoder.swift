// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusJPEG

/// The compressor of libjpeg, with output that was not taken yet.
@safe struct LibJPEGEncoder: ~Copyable {
  private let handle: OpaquePointer

  init(_ settings: JPEGSettings) throws(MediaError) {
    try settings.check()
    guard let handle = unsafe apus_jpeg_encoder_new() else {
      throw MediaError(.memory, "not enough memory for a JPEG encoder")
    }
    let isColour = settings.chroma != .monochrome
    var values = apus_jpeg_settings(
      width: CInt(settings.width), height: CInt(settings.height), components: isColour ? 3 : 1,
      across: 1 << CInt(settings.chroma.shiftX), down: 1 << CInt(settings.chroma.shiftY),
      quality: CInt(settings.quality), restart_rows: CInt(settings.restartRows),
      jfif: settings.hasJFIF, progressive: settings.isProgressive,
      optimized: settings.isOptimized)
    let outcome = unsafe apus_jpeg_configure(handle, &values)
    guard outcome == APUS_JPEG_OK else {
      let message = unsafe String(cString: apus_jpeg_encoder_message(handle))
      unsafe apus_jpeg_encoder_free(handle)
      throw MediaError(libjpeg: outcome, message)
    }
    unsafe self.handle = unsafe handle
  }

  deinit { unsafe apus_jpeg_encoder_free(handle) }

  func header() throws(MediaError) { try unsafe check(apus_jpeg_header(handle)) }

  func begin() throws(MediaError) { try unsafe check(apus_jpeg_begin(handle)) }

  func finish() throws(MediaError) { try unsafe check(apus_jpeg_finish(handle)) }

  func write(_ view: PictureView) throws(MediaError) {
    let planes = unsafe Self.planes(view, from: 0)
    try unsafe check(
      apus_jpeg_write(handle, planes.bases, planes.strides, CInt(view.format.height)))
  }

  /// Encodes rows of a band, starting with a whole MCU row.
  func interval(_ view: PictureView, rows: Range<Int>, restart: Int?) throws(MediaError) {
    let planes = unsafe Self.planes(view, from: rows.lowerBound)
    try unsafe check(
      apus_jpeg_interval(
        handle, planes.bases, planes.strides, CInt(rows.count), CInt(restart ?? -1)))
  }

  /// Returns the output since the last call.
  func take() -> [UInt8] {
    var count = 0
    let bytes = unsafe Array(
      UnsafeBufferPointer(start: apus_jpeg_bytes(handle, &count), count: count))
    unsafe apus_jpeg_clear(handle)
    return bytes
  }

  private static func planes(_ view: PictureView, from row: Int) -> (
    bases: [UnsafePointer<UInt8>?], strides: [Int]
  ) {
    let format = unsafe view.format
    let bases = unsafe view.planes.enumerated().map { index, plane -> UnsafePointer<UInt8>? in
      let first = index == 0 ? row : row >> format.chroma.shiftY
      return unsafe (plane.base + first * plane.stride).assumingMemoryBound(to: UInt8.self)
    }
    return unsafe (bases, view.planes.map { unsafe $0.stride })
  }

  private func check(_ outcome: CInt) throws(MediaError) {
    guard outcome != APUS_JPEG_OK else { return }
    let message = unsafe String(cString: apus_jpeg_encoder_message(handle))
    throw MediaError(libjpeg: outcome, message)
  }
}
