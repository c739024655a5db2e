// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A sink that compares written bytes with those at the same offset, and keeps the differences.
struct SpliceSink: ByteSink {
  private let source: any ByteSource
  private(set) var count = 0
  private(set) var splices: [Splice] = []
  private var window: [UInt8] = []
  private var windowStart = 0

  init(_ source: any ByteSource) { self.source = source }

  mutating func append(_ byte: UInt8) throws(SyntaxError) {
    let index = count - windowStart
    if !window.indices.contains(index) {
      windowStart = count
      window = try source.bytes(in: count..<min(count + 4096, source.count))
    }
    defer { count += 1 }
    guard window.indices.contains(count - windowStart), window[count - windowStart] != byte else {
      return
    }
    if let last = splices.last, last.range.upperBound == count {
      splices[splices.count - 1].bytes.append(byte)
      splices[splices.count - 1].range = last.range.lowerBound..<count + 1
    } else {
      splices.append(Splice(range: count..<count + 1, bytes: [byte], reason: ""))
    }
  }

  mutating func append(_ bytes: Span<UInt8>) throws(SyntaxError) {
    for index in bytes.indices { try append(bytes[index]) }
  }

  mutating func append(_ extent: Extent) throws(SyntaxError) {
    if extent.source === source, extent.range.lowerBound == count {
      count += extent.count
      return
    }
    if let spliced = extent.source as? SplicedSource, spliced.base === source {
      for part in spliced.extents(in: extent.range) {
        if part.source === source {
          try append(part)
        } else {
          try part.forEachPiece { piece throws(SyntaxError) in try append(piece) }
        }
      }
      return
    }
    try extent.forEachPiece { piece throws(SyntaxError) in try append(piece) }
  }

  mutating func skip(framed extent: Range<Int>) -> Bool {
    guard extent.lowerBound == count else { return false }
    count += extent.count
    return true
  }
}
