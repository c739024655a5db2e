// SPDX-License-Identifier: MIT

import ApusMedia
import CApusFFmpeg
import Testing

@testable import ApusFFmpeg

/// Mesa's Vulkan on the processor is a device that every machine for tests has.
struct DeviceTests {
  @Test(arguments: [("nv12", 8), ("p010le", 10)])
  func `a picture on a device is the one that was copied there`(name: String, bits: Int) throws {
    let list = try CodecList()
    let device = try CodecDevice("vulkan", at: nil, of: list)
    let format = PictureFormat(width: 64, height: 48, chroma: .yuv420, bitDepth: bits)
    let plain = try VideoFrame(format, time: RationalTime(3, per: 25), duration: 1)
    for plane in 0..<format.planeCount {
      try plain.withMutableRows(ofPlane: plane) { row, samples throws(MediaError) in
        for place in 0..<format.width(ofPlane: plane) * format.bytesPerSample {
          let isHigh = format.bytesPerSample == 2 && place % 2 == 1
          let value = isHigh ? row & 3 : (row * 7 + place * 3) & 255
          samples.storeBytes(of: UInt8(value), toByteOffset: place, as: UInt8.self)
        }
      }
    }
    let filter = try VideoFilter("", pixelFormats: [name])
    try filter.push(plain)
    let picture = try #require(try filter.next())
    let samples = unsafe list.library.call.av_get_pix_fmt(name)
    var frames: UnsafeMutablePointer<AVBufferRef>? = unsafe try device.frames(
      AV_PIX_FMT_VULKAN, samples, width: 64, height: 48, count: 2)
    defer { unsafe list.call.av_buffer_unref(&frames) }
    var copy: UnsafeMutablePointer<AVFrame>? = unsafe try device.upload(
      picture.frame, to: #require(frames))
    defer { unsafe list.library.call.av_frame_free(&copy) }
    var back: UnsafeMutablePointer<AVFrame>? = unsafe list.library.call.av_frame_alloc()
    defer { unsafe list.library.call.av_frame_free(&back) }
    let (there, here) = unsafe (try #require(copy), try #require(back))
    #expect(unsafe there.pointee.pts == picture.frame.pointee.pts)
    #expect(unsafe there.pointee.format == AV_PIX_FMT_VULKAN.rawValue)
    #expect(unsafe list.call.av_hwframe_transfer_data(here, there, 0) == 0)
    for (plane, rows) in [48, 24].enumerated() {
      for row in 0..<rows {
        let (one, other) = unsafe (bytes(picture.frame, plane, row), bytes(here, plane, row))
        let size = 64 * format.bytesPerSample
        #expect(one.prefix(size) == other.prefix(size), "row \(row) of plane \(plane)")
      }
    }
  }

  private func bytes(
    _ frame: UnsafeMutablePointer<AVFrame>, _ plane: Int, _ row: Int
  ) -> [UInt8] {
    let (base, stride) =
      unsafe plane == 0
      ? (frame.pointee.data.0, frame.pointee.linesize.0)
      : (frame.pointee.data.1, frame.pointee.linesize.1)
    guard let start = unsafe base else { return [] }
    return unsafe Array(
      UnsafeBufferPointer(start: start + row * Int(stride), count: Int(stride)))
  }
}
