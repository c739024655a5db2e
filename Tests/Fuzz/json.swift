// SPDX-License-Identifier: MIT

import ApusJSON

/// Any text is JSON or is refused, and of what is JSON every value can be asked for.
func fuzz(_ bytes: [UInt8]) throws {
  let value: JSONValue
  do throws(JSONError) {
    value = try JSONReader.value(of: bytes)
  } catch {
    try expect(error.offset <= bytes.count, "the error is at byte \(error.offset)")
    return
  }
  try expect(String(validating: bytes, as: UTF8.self) != nil, "what is not UTF-8 is read as JSON")
  try walk(value)
}

private func walk(_ value: JSONValue) throws {
  _ = (value.text, value.truth, value.double)
  switch value {
  case .object(let members):
    for member in members { try walk(member.value) }
  case .array(let values):
    for value in values { try walk(value) }
  default: break
  }
}
