// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMetadata

/// The facts of the chunks of a WebP picture: RFC 9649, 2.
struct WebPHeader {
  private(set) var size: (width: Int, height: Int)?
  private(set) var format = CodedFormat()
  private(set) var metadata = SourceMetadata()

  /// The maximum number of chunks, and the maximum size of those that are read.
  private static let mostChunks = 1 << 16
  private static let longest = 1 << 24
  /// The number of bytes of a coded picture that contain its size.
  private static let glance = 10

  init(_ source: any ByteSource) throws(SyntaxError) {
    var position = 12
    for _ in 0..<Self.mostChunks where position + 8 <= source.count {
      let head = try source.bytes(in: position..<position + 8)
      let length = Int(littleEndianBytes: head[4..<8])
      let start = position + 8
      guard length <= source.count - start else { return }
      let type = String(decoding: head[0..<4], as: UTF8.self)
      switch type {
      case "ICCP", "EXIF", "XMP ":
        if length <= Self.longest { add(type, try source.bytes(in: start..<start + length)) }
      // The first frame of an animation begins after 16 bytes with its place and time.
      case "ANMF" where length >= 24 + Self.glance:
        let frame = try source.bytes(in: start + 16..<start + 24 + Self.glance)
        add(String(decoding: frame[0..<4], as: UTF8.self), Array(frame[8...]))
      default:
        add(type, try source.bytes(in: start..<start + min(length, Self.glance)))
      }
      position = start + length + (length & 1)
    }
  }

  private mutating func add(_ type: String, _ body: [UInt8]) {
    switch type {
    case "VP8X" where body.count >= 10:
      size = (Int(littleEndianBytes: body[4..<7]) + 1, Int(littleEndianBytes: body[7..<10]) + 1)
    case "VP8 " where body.count >= 10 && format.profile == nil:
      // RFC 6386, 9.1: the sides have 14 bits each.
      setCoding("lossy", "4:2:0")
      size =
        size ?? (
          Int(littleEndianBytes: body[6..<8]) & 0x3fff,
          Int(littleEndianBytes: body[8..<10]) & 0x3fff
        )
    case "VP8L" where body.count >= 5 && format.profile == nil:
      setCoding("lossless", nil)
      let sides = Int(littleEndianBytes: body[1..<5])
      size = size ?? (sides & 0x3fff + 1, sides >> 14 & 0x3fff + 1)
    case "ICCP": metadata.icc = body
    case "EXIF": metadata.exif = body
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
