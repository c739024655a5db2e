// SPDX-License-Identifier: MIT

import ApusMedia
import ApusPNG
import ApusStills
import CApus

/// Samples in the caller's memory, with their description and metadata.
@safe struct CallerPicture {
  private let samples: UnsafeRawPointer
  private let layout: SampleLayout
  private let stride: Int
  private var chunks = PNGChunks()

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
    guard let metadata = unsafe metadata else { return }
    guard unsafe metadata.size >= MemoryLayout<apus_metadata>.size else {
      throw MediaError(.misuse, "metadata has another size")
    }
    unsafe chunks.exif = try Self.exif(Self.bytes(metadata.exif, metadata.exif_count))
    unsafe chunks.xmp = try Self.xmp(Self.bytes(metadata.xmp, metadata.xmp_count))
    unsafe chunks.profile = Self.bytes(metadata.icc, metadata.icc_count)
  }

  /// Returns a TIFF stream, without the name that precedes it in a JPEG.
  private static func exif(_ bytes: [UInt8]?) throws(MediaError) -> [UInt8]? {
    guard var bytes else { return nil }
    let name = Array("Exif\0\0".utf8)
    if bytes.starts(with: name) { bytes.removeFirst(name.count) }
    guard bytes.starts(with: [0x49, 0x49, 42, 0]) || bytes.starts(with: [0x4D, 0x4D, 0, 42]) else {
      throw MediaError(.misuse, "the Exif does not begin as a TIFF file does")
    }
    return bytes
  }

  /// Returns a packet of XMP without the zeros that some writers append.
  private static func xmp(_ bytes: [UInt8]?) throws(MediaError) -> [UInt8]? {
    guard let bytes, let last = bytes.lastIndex(where: { $0 != 0 }) else { return nil }
    let packet = Array(bytes[...last])
    guard !packet.contains(0) else {
      throw MediaError(.misuse, "the XMP has a zero byte inside, and is no text")
    }
    return packet
  }

  private static func bytes(_ start: UnsafeRawPointer?, _ count: Int) -> [UInt8]? {
    guard let start = unsafe start, count > 0 else { return nil }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Returns the picture as an uncompressed file, which every job accepts.
  func png() throws(MediaError) -> [UInt8] {
    let kind: PNGSettings.Kind =
      switch layout.channels {
      case .gray: .gray
      case .grayAlpha: .grayAlpha
      case .rgb: .rgb
      case .rgba: .rgba
      }
    var settings = PNGSettings(
      width: layout.width, height: layout.height, bitDepth: layout.bitsPerChannel, kind: kind)
    settings.compression = 0
    let encoder = try PNGEncoder(settings)
    var bytes: [UInt8] = []
    // Uncompressed data take little more than the samples, and growing would copy them.
    bytes.reserveCapacity(layout.height * (layout.bytesPerRow + 8) + 65_536)
    bytes += try encoder.begin(chunks)
    let rowsAtOnce = 64
    for top in Swift.stride(from: 0, to: layout.height, by: rowsAtOnce) {
      let band = Picture(settings.bandFormat(rows: min(rowsAtOnce, layout.height - top)))
      for row in 0..<band.format.height {
        unsafe UnsafeMutableRawPointer(band.plane(0) + row * band.strides[0])
          .copyMemory(from: samples + (top + row) * stride, byteCount: layout.bytesPerRow)
      }
      bytes += try unsafe encoder.append(band.view)
    }
    return bytes + (try encoder.finish())
  }
}
