// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import FLV
import TestSupport

/// A tag as the specification lays it out, `PreviousTagSize` after it.
func tagBytes(_ type: UInt8, _ time: UInt32, _ data: [UInt8], size: UInt32? = nil) -> [UInt8] {
  let count = UInt32(data.count)
  let head =
    [type] + big(count, 3) + big(time & 0xff_ffff, 3) + [UInt8(time >> 24)] + [0, 0, 0]
  return head + data + big(size ?? count + 11, 4)
}

func big(_ number: UInt32, _ count: Int) -> [UInt8] {
  (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> UInt32($0 * 8)) }
}

let fileStart = hex("464c5601 05 00000009 00000000")

func elements(_ bytes: [UInt8]) throws -> [FLVElement] { try elements(MemorySource(bytes)) }

func elements(_ source: any ByteSource) throws -> [FLVElement] {
  var reader = try TagReader(source)
  var all: [FLVElement] = []
  while let element = try reader.next() { all.append(element) }
  return all
}

/// The file as its elements give it back.
func rewritten(_ source: any ByteSource) throws -> [UInt8] {
  var reader = try TagReader(source)
  var writer = SyntaxWriter(ArraySink())
  var header = reader.header
  try header.syntax(&writer)
  while let element = try reader.next() {
    switch element {
    case .tag(let tag):
      var (size, header) = (tag.previousTagSize, tag.header)
      try writer.u(32, "PreviousTagSize", &size)
      try header.syntax(&writer)
      try reader.content(of: tag).write(to: &writer)
    case .junk(let range), .truncated(_, let range):
      try writer.append(Extent(source, range))
    case .end(var size, _): try writer.u(32, "PreviousTagSize", &size)
    }
  }
  return writer.sink.bytes
}

/// An input that is read in pieces, as a file is.
final class PiecewiseSource: ByteSource {
  let bytes: [UInt8]
  init(_ bytes: [UInt8]) { self.bytes = bytes }
  var count: Int { bytes.count }
  var resident: [UInt8]? { nil }
  func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) {
    for byte in bytes[range] { output.append(byte) }
  }
}
