// SPDX-License-Identifier: MIT

import ApusBytes
import HEVC

/// A decoder configuration record is refused with an error, or written back to the bytes it was read from.
func fuzz(_ bytes: [UInt8]) throws {
  var reader = SyntaxReader(MemorySource(bytes))
  var record = DecoderConfigurationRecord()
  do throws(SyntaxError) {
    try record.syntax(&reader)
  } catch {
    return
  }
  var writer = SyntaxWriter(ArraySink())
  try record.syntax(&writer)
  let written = writer.sink.bytes
  try expect(bytes.starts(with: written), "the record is written back to other bytes")
  try expect(written.count == reader.position, "the record is written back to another length")
  for field in try FieldMapper.fields(of: record) { _ = field.text }
}
