// SPDX-License-Identifier: MIT

package import ApusBytes

/// The file header: RFC 9649, 2.4.
package struct WebPFileHeader: SyntaxStructure {
  package static let size = 12
  private var riff: FourCC = "RIFF"
  /// The number of bytes that follow this field.
  private var fileSize: UInt32 = 4
  private var webp: FourCC = "WEBP"

  package init() {}
  package init(fileSize: UInt32) { self.fileSize = fileSize }

  /// The offset of the end of the file.
  package var end: Int { 8 + Int(fileSize) }

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "RIFF", &riff)
    try v.littleEndian(32, "File Size", &fileSize)
    try v.u(32, "WEBP", &webp)
  }
}

/// The first fields of a chunk: RFC 9649, 2.3.
package struct WebPChunkHeader: SyntaxStructure {
  package static let size = 8
  package var type: FourCC = "VP8X"
  /// The size of the content, which is padded to an even number.
  package var length: UInt32 = 0

  package init() {}
  package init(_ type: FourCC, length: UInt32) { (self.type, self.length) = (type, length) }

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "FourCC", &type)
    try v.littleEndian(32, "Size", &length)
  }
}

/// A chunk of a WebP: RFC 9649, 2.3.
package struct WebPChunk: Sendable {
  package let type: FourCC
  /// The range without padding, which may be beyond the end of the data.
  package let range: Range<Int>
  private let source: any ByteSource
  private let end: Int

  /// Reads the header of the chunk at an offset of the source; `nil` if the data ends before it does.
  package init?(in data: Extent, at start: Int) throws(SyntaxError) {
    guard data.range.upperBound - start >= WebPChunkHeader.size else { return nil }
    var reader = SyntaxReader(data.source, range: start..<start + WebPChunkHeader.size)
    var header = WebPChunkHeader()
    try header.syntax(&reader)
    type = header.type
    range = start..<reader.position + Int(header.length)
    (source, end) = (data.source, data.range.upperBound)
  }

  package var isComplete: Bool { range.upperBound <= end }
  /// The content as far as the data contains it.
  package var body: Extent {
    let start = range.lowerBound + WebPChunkHeader.size
    return Extent(source, start..<min(range.upperBound, end))
  }
  /// The offset of the next chunk.
  package var next: Int { range.upperBound + range.count % 2 }
}
