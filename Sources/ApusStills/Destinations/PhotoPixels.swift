// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusMedia
internal import ApusPNG
internal import Synchronization

/// The samples of an upright picture in memory, with its metadata.
public struct PhotoPixels: Hashable, Sendable {
  /// The size, channels and bit depth of the samples.
  public var layout: SampleLayout
  /// The rows from the top, without gaps; 16-bit samples are in native byte order.
  public var bytes: [UInt8]
  /// The Exif, from the header of TIFF on.
  public var exif: [UInt8]?
  /// The packet of XMP; zero bytes at its end are ignored.
  public var xmp: [UInt8]?
  /// The ICC profile of the samples; sRGB if there is neither a profile nor a colour.
  public var profile: [UInt8]?
  /// The colour of HDR samples.
  public var colour: ColourDescription?

  public init(_ layout: SampleLayout, _ bytes: [UInt8]) {
    (self.layout, self.bytes) = (layout, bytes)
  }

  /// Returns the picture as an uncompressed PNG, which every job accepts.
  func png() throws(MediaError) -> [UInt8] {
    guard bytes.count == layout.bytesPerRow * layout.height else {
      throw MediaError(
        .misuse, "\(bytes.count) bytes are not \(layout.height) rows of \(layout.bytesPerRow)")
    }
    return try unsafe bytes.withUnsafeBufferPointer { bytes throws(MediaError) in
      guard let start = bytes.baseAddress else { throw MediaError(.misuse, "there is no picture") }
      return try unsafe layout.png(of: UnsafeRawPointer(start), stride: layout.bytesPerRow, self)
    }
  }
}

extension SampleLayout {
  /// Returns samples as an uncompressed PNG.
  ///
  /// - Parameter metadata: the metadata; its samples are not used.
  @unsafe package func png(
    of samples: UnsafeRawPointer, stride: Int, _ metadata: PhotoPixels
  ) throws(MediaError) -> [UInt8] {
    guard width > 0, height > 0, bitsPerChannel == 8 || bitsPerChannel == 16 else {
      throw MediaError(.misuse, "\(width) × \(height) of \(bitsPerChannel) bits is no picture")
    }
    var chunks = PNGChunks()
    chunks.exif = try Self.tiff(metadata.exif)
    chunks.xmp = try Self.packet(metadata.xmp)
    (chunks.profile, chunks.colour) = (metadata.profile, metadata.colour)
    var settings = PNGSettings(
      width: width, height: height, bitDepth: bitsPerChannel, kind: channels.kind)
    settings.compression = 0
    let encoder = try PNGEncoder(settings)
    var bytes: [UInt8] = []
    // Uncompressed data take little more than the samples, and growing would copy them.
    bytes.reserveCapacity(height * (bytesPerRow + 8) + 65_536)
    bytes += try encoder.begin(chunks)
    let rowsAtOnce = 64
    for top in Swift.stride(from: 0, to: height, by: rowsAtOnce) {
      let band = Picture(settings.bandFormat(rows: min(rowsAtOnce, height - top)))
      for row in 0..<band.format.height {
        unsafe UnsafeMutableRawPointer(band.plane(0) + row * band.strides[0])
          .copyMemory(from: samples + (top + row) * stride, byteCount: bytesPerRow)
      }
      bytes += try unsafe encoder.append(band.view)
    }
    return bytes + (try encoder.finish())
  }

  /// Returns Exif without the name that precedes it in a JPEG.
  private static func tiff(_ exif: [UInt8]?) throws(MediaError) -> [UInt8]? {
    guard var exif else { return nil }
    let name = Array("Exif\0\0".utf8)
    if exif.starts(with: name) { exif.removeFirst(name.count) }
    guard exif.starts(with: [0x49, 0x49, 42, 0]) || exif.starts(with: [0x4D, 0x4D, 0, 42]) else {
      throw MediaError(.misuse, "the Exif does not begin as a TIFF file does")
    }
    return exif
  }

  /// Returns a packet of XMP without the zeros that some writers append.
  private static func packet(_ xmp: [UInt8]?) throws(MediaError) -> [UInt8]? {
    guard let xmp, let last = xmp.lastIndex(where: { $0 != 0 }) else { return nil }
    let packet = Array(xmp[...last])
    guard !packet.contains(0) else {
      throw MediaError(.misuse, "the XMP has a zero byte inside, and is no text")
    }
    return packet
  }
}

extension SampleLayout.Channels {
  var kind: PNGSettings.Kind {
    switch self {
    case .gray: .gray
    case .grayAlpha: .grayAlpha
    case .rgb: .rgb
    case .rgba: .rgba
    }
  }
}

/// Collects the samples of a picture.
package final class PixelRows: SampleReceiver {
  private let state = Mutex<PhotoPixels?>(nil)

  package init() {}

  /// The picture; `nil` if none came.
  package var pixels: PhotoPixels? { state.withLock { $0 } }

  package func begin(_ layout: SampleLayout) {
    state.withLock {
      $0 = PhotoPixels(layout, [])
      $0?.bytes.reserveCapacity(layout.bytesPerRow * layout.height)
    }
  }

  package func write(rows: Span<UInt8>) {
    state.withLock { pixels in
      unsafe rows.withUnsafeBufferPointer { unsafe pixels?.bytes.append(contentsOf: $0) }
    }
  }

  /// Notes the metadata of the picture that has begun.
  func hold(_ note: (inout PhotoPixels) -> Void) {
    state.withLock { pixels in
      guard var noted = pixels else { return }
      note(&noted)
      pixels = noted
    }
  }
}
