// SPDX-License-Identifier: MIT

import ApusBytes
import FLV

/// Any message is written back to the bytes it was read from, and so are its values.
func fuzz(_ bytes: [UInt8]) throws {
  let message = AMFMessage(bytes)
  try expect(try message.bytes() == bytes, "the message is written back to other bytes")
  let values = try AMFMessage(message.values).bytes()
  try expect(bytes.starts(with: values), "the values are written back to other bytes")
  _ = message.metadata
  for var value in message.values {
    _ = (value.integer, value.text, value["duration"]?.number)
    for field in try FieldMapper.fields(of: value) { _ = field.text }
    value = .null
  }
  _ = AMFMessage(amf3Message: bytes)
}
