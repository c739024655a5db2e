// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusHTTP

/// What a form carries lies in its body, and is found again when it is sent alone.
func fuzz(_ bytes: [UInt8]) throws {
  let body = try SpoolSource()
  _ = try body.append(bytes.span)
  for type in ["multipart/form-data; boundary=x", "multipart/form-data; boundary=\"--\""] {
    guard let form = FormBody(body, type: type) else {
      throw Violation(what: "\(type) is no form")
    }
    for name in [nil, "file", ""] {
      guard let file = try form.file(named: name) else { continue }
      let content = try file.bytes(in: 0..<file.count)
      try expect(content.count < bytes.count, "a part is not smaller than the form")
      guard type.hasSuffix("=x") else { continue }
      let alone = try SpoolSource()
      let head = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n"
      let parts = Array(head.utf8) + content + Array("\r\n--x--\r\n".utf8)
      _ = try alone.append(parts.span)
      let again = try FormBody(alone, type: type)?.file(named: nil)
      try expect(try again?.bytes(in: 0..<(again?.count ?? 0)) == content, "a part differs alone")
    }
  }
}
