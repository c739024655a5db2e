// SPDX-License-Identifier: MIT

import ApusBytes
import FLV

/// A file is refused, or covered by its elements and given back; its tags say the same both ways; the
/// checker and the converter come to an end, and what is converted is converted no more.
func fuzz(_ bytes: [UInt8]) throws {
  let source = MemorySource(bytes)
  var reader: TagReader
  do throws(SyntaxError) {
    reader = try TagReader(source)
  } catch {
    return
  }
  var writer = SyntaxWriter(ArraySink())
  var header = reader.header
  try header.syntax(&writer)
  var position = reader.header.count
  while let element = try reader.next() {
    switch element {
    case .tag(let tag):
      try expect(tag.offset == position + 4, "a tag does not follow what came before it")
      position = tag.data.upperBound
      var (size, header) = (tag.previousTagSize, tag.header)
      try writer.u(32, "PreviousTagSize", &size)
      try header.syntax(&writer)
      let content = reader.content(of: tag)
      try content.write(to: &writer)
      let declared = Packet.packets(in: content)
      try expect(
        try "\(reader.packets(of: tag))" == "\(declared)", "two ways to read a tag differ")
    case .junk(let range), .truncated(_, let range):
      try expect(range.lowerBound == position, "junk does not follow what came before it")
      position = range.upperBound
      try writer.append(Extent(source, range))
    case .end(var size, _):
      position += 4
      try writer.u(32, "PreviousTagSize", &size)
    }
  }
  try expect(writer.sink.bytes == bytes, "the file is given back as other bytes")

  _ = try FLVChecker(source).findings
  for dialect in HEVCDialect.allCases {
    var options = FLVConverter.Options()
    options.dialect = dialect
    do throws(SyntaxError) {
      let once = try converted(source, options)
      let twice = try converted(MemorySource(once), options)
      guard once == twice else { throw SyntaxError(.misuse, field: "", offset: 0, detail: "") }
    } catch {
      try expect(error.kind != .misuse, "a converted file is converted to another: \(error)")
    }
  }
  try stream(bytes)
}

private func converted(_ source: MemorySource, _ options: FLVConverter.Options)
  throws(SyntaxError) -> [UInt8]
{
  var sink = ArraySink()
  try FLVConverter(source, options: options).write(to: &sink)
  return sink.bytes
}

/// A growing stream hands over what the same stream hands over when it comes in two pieces.
private func stream(_ bytes: [UInt8]) throws {
  func offsets(_ pieces: [ArraySlice<UInt8>]) -> [Int] {
    var stream = TagStream()
    var offsets: [Int] = []
    do throws(SyntaxError) {
      for piece in pieces {
        stream.append(Array(piece).span)
        while let tag = try stream.next() { offsets.append(tag.offset) }
      }
    } catch {}
    return offsets
  }
  _ = offsets([bytes[...]])
  _ = offsets([bytes[..<(bytes.count / 2)], bytes[(bytes.count / 2)...]])
}
