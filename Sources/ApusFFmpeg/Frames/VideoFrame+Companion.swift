// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusFFmpeg

extension VideoFrame {
  /// Bytes that go with the picture through filters, with each picture that is made of it; empty unless it was given any.
  public var companion: [UInt8] {
    guard let buffer = unsafe frame.pointee.opaque_ref else { return [] }
    return unsafe Array(
      UnsafeBufferPointer(start: buffer.pointee.data, count: Int(buffer.pointee.size)))
  }

  /// Returns the same picture, with the same samples and these bytes.
  public func accompanied(by bytes: [UInt8]) throws(MediaError) -> VideoFrame {
    let copy = try moved(to: time, duration: duration)
    guard let buffer = unsafe library.call.av_buffer_alloc(bytes.count) else {
      throw .noMemory("a picture")
    }
    unsafe library.call.av_buffer_unref(&copy.frame.pointee.opaque_ref)
    unsafe copy.frame.pointee.opaque_ref = buffer
    unsafe UnsafeMutableRawBufferPointer(start: buffer.pointee.data, count: bytes.count)
      .copyBytes(from: bytes)
    return copy
  }
}
