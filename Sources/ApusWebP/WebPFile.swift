// SPDX-License-Identifier: MIT

internal import ApusMedia

/// The chunks of a WebP: WebP Container Specification, RIFF.
struct WebPFile {
  private struct Chunk {
    var type: String
    var content: [UInt8]
  }

  private var chunks: [Chunk] = []

  /// - Parameter bytes: the output of libwebp.
  init(_ bytes: [UInt8]) throws(MediaError) {
    var place = 12
    while place + 8 <= bytes.count {
      let type = String(decoding: bytes[place..<place + 4], as: UTF8.self)
      let count = (0..<4).reduce(0) { $0 | Int(bytes[place + 4 + $1]) << (8 * $1) }
      let end = place + 8 + count
      guard end <= bytes.count else { break }
      chunks.append(Chunk(type: type, content: Array(bytes[place + 8..<end])))
      place = end + count & 1
    }
    guard chunks.contains(where: { $0.type == "VP8 " || $0.type == "VP8L" }) else {
      throw MediaError(.corrupt, "libwebp has written no picture")
    }
  }

  /// Returns the file with metadata; without any it keeps the simple form.
  func with(_ metadata: WebPMetadata, _ settings: WebPSettings) -> [UInt8] {
    let pixels = chunks.filter { $0.type != "VP8X" }
    let hasAlpha = pixels.contains { $0.type == "ALPH" }
    guard metadata != WebPMetadata() || hasAlpha else { return Self.file(pixels) }
    var flags: UInt8 = 0
    if metadata.profile != nil { flags |= 0x20 }
    if hasAlpha { flags |= 0x10 }
    if metadata.exif != nil { flags |= 0x08 }
    if metadata.xmp != nil { flags |= 0x04 }
    let canvas = [settings.width - 1, settings.height - 1].flatMap { Self.number($0, bytes: 3) }
    var all = [Chunk(type: "VP8X", content: [flags, 0, 0, 0] + canvas)]
    if let profile = metadata.profile { all.append(Chunk(type: "ICCP", content: profile)) }
    all += pixels
    if let exif = metadata.exif { all.append(Chunk(type: "EXIF", content: exif)) }
    if let xmp = metadata.xmp { all.append(Chunk(type: "XMP ", content: xmp)) }
    return Self.file(all)
  }

  private static func file(_ chunks: [Chunk]) -> [UInt8] {
    var body = Array("WEBP".utf8)
    for chunk in chunks {
      body += Array(chunk.type.utf8) + number(chunk.content.count, bytes: 4) + chunk.content
      if chunk.content.count & 1 == 1 { body.append(0) }
    }
    return Array("RIFF".utf8) + number(body.count, bytes: 4) + body
  }

  private static func number(_ value: Int, bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
