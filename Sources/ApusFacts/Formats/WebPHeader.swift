// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMetadata
internal import ApusRaster

/// The facts of the chunks of a WebP picture: RFC 9649, 2.
struct WebPHeader {
  private(set) var size: (width: Int, height: Int)?
  private(set) var format = CodedFormat()
  private(set) var metadata = SourceMetadata()
  /// The manifest store of Content Credentials.
  private(set) var manifestStore: [UInt8]?

  /// The maximum number of chunks, and the maximum size of those that are read.
  private static let mostChunks = 1 << 16
  private static let longest = 1 << 24
  /// The number of bytes of a coded picture that contain its size.
  private static let glance = VP8FrameHeader.size

  init(_ source: any ByteSource) throws(SyntaxError) {
    let data = Extent(source, 0..<source.count)
    var position = WebPFileHeader.size
    for _ in 0..<Self.mostChunks {
      guard let chunk = try WebPChunk(in: data, at: position), chunk.isComplete else { return }
      switch chunk.type {
      case "ICCP", "EXIF", "XMP ", "C2PA":
        if chunk.body.count <= Self.longest { add(chunk.type, try chunk.body.bytes()) }
      // The first chunk in a frame of an animation follows its place and time.
      case "ANMF":
        let start = chunk.body.range.lowerBound + WebPFrame.size
        guard start + WebPChunkHeader.size + Self.glance <= chunk.range.upperBound,
          let frame = try WebPChunk(in: data, at: start)
        else { break }
        let coded = frame.range.lowerBound + WebPChunkHeader.size
        add(frame.type, try source.bytes(in: coded..<coded + Self.glance))
      default:
        add(chunk.type, try chunk.body.prefix(Self.glance).bytes())
      }
      position = chunk.next
    }
  }

  private mutating func add(_ type: FourCC, _ body: [UInt8]) {
    switch type {
    case "VP8X":
      guard let header = WebPExtendedHeader(reading: body) else { return }
      size = (header.width, header.height)
    case "VP8 " where format.profile == nil:
      guard let header = VP8FrameHeader(reading: body) else { return }
      setCoding("lossy", "4:2:0")
      size = size ?? (header.width, header.height)
    case "VP8L" where format.profile == nil:
      guard let header = VP8LHeader(reading: body) else { return }
      setCoding("lossless", nil)
      size = size ?? (header.width, header.height)
    case "ICCP": metadata.icc = body
    case "EXIF": metadata.exif = body
    case "C2PA": manifestStore = body
    case "XMP ": metadata.xmp = body
    default: break
    }
  }

  private mutating func setCoding(_ profile: String, _ chroma: String?) {
    format.profile = profile
    format.chroma = chroma
    format.bitDepth = 8
  }
}
