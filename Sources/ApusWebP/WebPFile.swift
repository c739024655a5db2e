// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusRaster

/// The chunks of a WebP: RFC 9649, 2.
struct WebPFile {
  private struct Chunk {
    var type: FourCC
    var content: [UInt8]
  }

  private var chunks: [Chunk] = []

  /// - Parameter bytes: the output of libwebp.
  init(_ bytes: [UInt8]) throws(SyntaxError) {
    let data = Extent(bytes)
    var place = WebPFileHeader.size
    while let chunk = try WebPChunk(in: data, at: place), chunk.isComplete {
      chunks.append(Chunk(type: chunk.type, content: try chunk.body.bytes()))
      place = chunk.next
    }
  }

  var hasPicture: Bool { chunks.contains { $0.type == "VP8 " || $0.type == "VP8L" } }

  /// Returns the file with metadata; without any it keeps the simple form.
  func with(_ metadata: WebPMetadata, _ settings: WebPSettings) throws(SyntaxError) -> [UInt8] {
    let pixels = chunks.filter { $0.type != "VP8X" }
    var header = WebPExtendedHeader()
    header.hasAlpha = pixels.contains { $0.type == "ALPH" }
    guard metadata != WebPMetadata() || header.hasAlpha else { return try Self.file(pixels) }
    header.hasProfile = metadata.profile != nil
    header.hasExif = metadata.exif != nil
    header.hasXMP = metadata.xmp != nil
    (header.width, header.height) = (settings.width, settings.height)
    var all = [Chunk(type: "VP8X", content: try header.encoded())]
    if let profile = metadata.profile { all.append(Chunk(type: "ICCP", content: profile)) }
    all += pixels
    if let exif = metadata.exif { all.append(Chunk(type: "EXIF", content: exif)) }
    if let xmp = metadata.xmp { all.append(Chunk(type: "XMP ", content: xmp)) }
    return try Self.file(all)
  }

  private static func file(_ chunks: [Chunk]) throws(SyntaxError) -> [UInt8] {
    var body: [UInt8] = []
    for chunk in chunks {
      let length = UInt32(clamping: chunk.content.count)
      body += try WebPChunkHeader(chunk.type, length: length).encoded() + chunk.content
      if chunk.content.count % 2 == 1 { body.append(0) }
    }
    // The size includes the type of the file.
    return try WebPFileHeader(fileSize: UInt32(clamping: body.count + 4)).encoded() + body
  }
}
