// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusJPEG

/// libjpeg's decompressor.
@safe struct LibJPEGDecoder: ~Copyable {
  private let handle: OpaquePointer

  /// - Parameter strict: whether a warning is an error.
  init(strict: Bool) throws(MediaError) {
    guard let handle = unsafe apus_jpeg_decoder_new(strict) else {
      throw MediaError(.memory, "not enough memory for a JPEG decoder")
    }
    unsafe self.handle = unsafe handle
  }

  deinit { unsafe apus_jpeg_decoder_free(handle) }

  /// Reads a JPEG in memory up to its first scan; the memory must be valid until it is decoded.
  @unsafe func open(_ bytes: UnsafeBufferPointer<UInt8>) throws(MediaError) -> apus_jpeg_image {
    var image = apus_jpeg_image()
    try unsafe check(
      apus_jpeg_open(handle, bytes.baseAddress, bytes.count, nil, nil, &image))
    return image
  }

  /// Reduces the size of the decoded picture.
  func reduce(_ image: inout apus_jpeg_image, by reduction: Int) throws(MediaError) {
    try unsafe check(apus_jpeg_reduce(handle, CInt(reduction), &image))
  }

  /// Reads a JPEG that arrives in pieces up to its first scan; the feed must live until it is decoded.
  @unsafe func open(_ feed: JPEGFeed) throws(MediaError) -> apus_jpeg_image {
    var image = apus_jpeg_image()
    let outcome = unsafe apus_jpeg_open(
      handle, nil, 0, JPEGFeed.copy, Unmanaged.passUnretained(feed).toOpaque(), &image)
    try feed.check()
    try check(outcome)
    return image
  }

  /// Decodes the open JPEG to its end, and discards the samples.
  func skip() throws(MediaError) { try unsafe check(apus_jpeg_decode(handle, nil, nil, false)) }

  /// - Parameter full: whether colour is interpolated to 4:4:4.
  func decode(into picture: Picture, full: Bool) throws(MediaError) {
    let planes = unsafe picture.strides.indices.map { index -> UnsafeMutablePointer<UInt8>? in
      unsafe picture.plane(index).assumingMemoryBound(to: UInt8.self)
    }
    try unsafe check(apus_jpeg_decode(handle, planes, picture.strides, full))
  }

  /// Returns the open JPEG with its coefficients in other places, without application segments and comments.
  func turned(_ turning: apus_jpeg_turning) throws(MediaError) -> [UInt8] {
    guard let encoder = unsafe apus_jpeg_encoder_new() else {
      throw MediaError(.memory, "not enough memory for a JPEG encoder")
    }
    defer { unsafe apus_jpeg_encoder_free(encoder) }
    var turning = turning
    try unsafe check(apus_jpeg_turn(handle, &turning, encoder))
    var count = 0
    let bytes = unsafe apus_jpeg_bytes(encoder, &count)
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  }

  /// Throws the first warning since the JPEG was opened, if any.
  func checkWarning() throws(MediaError) {
    try unsafe check(apus_jpeg_decoder_warning(handle))
  }

  private func check(_ outcome: CInt) throws(MediaError) {
    guard outcome != APUS_JPEG_OK else { return }
    let message = unsafe String(cString: apus_jpeg_decoder_message(handle))
    throw MediaError(libjpeg: outcome, message)
  }
}
