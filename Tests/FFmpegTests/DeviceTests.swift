// SPDX-License-Identifier: MIT

import ApusMedia
import CApusFFmpeg
import Testing

@testable import ApusFFmpeg

/// Mesa's Vulkan on the processor is a device that every machine for tests has.
struct DeviceTests {
  // Forms of one plane: of those with several, some versions have another layout on this device.
  @Test(arguments: [("bgra", 4), ("gray", 1)])
  func `a picture on a device is the one that was copied there`(name: String, bytes: Int) throws {
    let list = try CodecList()
    let device = try CodecDevice("vulkan", at: nil, of: list)
    let format = PictureFormat(width: 64, height: 48, chroma: .yuv420, bitDepth: 8)
    let plain = try VideoFrame(format, time: RationalTime(3, per: 25), duration: 1)
    for plane in 0..<format.planeCount {
      try plain.withMutableRows(ofPlane: plane) { row, samples throws(MediaError) in
        for place in 0..<format.width(ofPlane: plane) {
          let value = UInt8((row * 7 + place * 3 + plane * 50) & 255)
          samples.storeBytes(of: value, toByteOffset: place, as: UInt8.self)
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
    let rows = (0..<48).map { unsafe self.row($0, 64 * bytes, of: picture.frame) }
    #expect(Set(rows).count > 40)
    #expect((0..<48).map { unsafe self.row($0, 64 * bytes, of: here) } == rows)
  }

  private func row(
    _ row: Int, _ count: Int, of frame: UnsafeMutablePointer<AVFrame>
  ) -> [UInt8] {
    guard let base = unsafe frame.pointee.data.0 else { return [] }
    let start = unsafe base + row * Int(frame.pointee.linesize.0)
    return unsafe Array(UnsafeBufferPointer(start: start, count: count))
  }
}
