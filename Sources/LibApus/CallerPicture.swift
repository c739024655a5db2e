// SPDX-License-Identifier: MIT

import ApusMedia
import ApusStills
import CApus

/// Samples in the caller's memory, with their description and metadata.
@safe struct CallerPicture {
  private let samples: UnsafeRawPointer
  private let layout: SampleLayout
  private let stride: Int
  private var metadata: PhotoPixels

  init(_ samples: UnsafeRawPointer, _ layout: apus_layout, _ metadata: apus_metadata?)
    throws(MediaError)
  {
    guard layout.size >= MemoryLayout<apus_layout>.size else {
      throw MediaError(.misuse, "layout has another size")
    }
    guard let channels = SampleLayout.Channels(rawValue: Int(layout.channels)),
      layout.bits == 8 || layout.bits == 16, layout.width > 0, layout.height > 0
    else {
      throw MediaError(
        .misuse,
        "layout has \(layout.channels) channels of \(layout.bits) bits, "
          + "\(layout.width) × \(layout.height)")
    }
    self.layout = SampleLayout(
      width: Int(layout.width), height: Int(layout.height), channels: channels,
      bitsPerChannel: Int(layout.bits))
    guard layout.stride >= self.layout.bytesPerRow else {
      throw MediaError(.misuse, "the stride is \(layout.stride), less than a row")
    }
    unsafe self.samples = samples
    stride = layout.stride
    self.metadata = PhotoPixels(self.layout, [])
    guard let metadata = unsafe metadata else { return }
    guard unsafe metadata.size >= MemoryLayout<apus_metadata>.size else {
      throw MediaError(.misuse, "metadata has another size")
    }
    unsafe self.metadata.exif = Self.bytes(metadata.exif, metadata.exif_count)
    unsafe self.metadata.xmp = Self.bytes(metadata.xmp, metadata.xmp_count)
    unsafe self.metadata.profile = Self.bytes(metadata.icc, metadata.icc_count)
  }

  private static func bytes(_ start: UnsafeRawPointer?, _ count: Int) -> [UInt8]? {
    guard let start = unsafe start, count > 0 else { return nil }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Returns the picture as an uncompressed file, which every job accepts.
  func png() throws(MediaError) -> [UInt8] {
    try unsafe layout.png(of: samples, stride: stride, metadata)
  }
}
