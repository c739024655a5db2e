// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import Testing

@testable import ApusHTTP

/// Bodies in the form of RFC 7578, whose syntax is that of RFC 2046, 5.1.1.
@Suite struct FormBodyTests {
  private static let type = "multipart/form-data; boundary=x"
  private static let note = part("name=\"note\"", "some words")
  private static let photo = part("name=\"file\"; filename=\"a.heic\"", "photo")

  /// A part with its delimiter, but for the line break before that.
  private static func part(_ parameters: String, _ content: String) -> String {
    "--x\r\nContent-Disposition: form-data; \(parameters)\r\n\r\n\(content)\r\n"
  }

  private static func spool(_ bytes: [UInt8]) throws -> SpoolSource {
    let spool = try SpoolSource()
    _ = try spool.append(bytes.span)
    return spool
  }

  /// Returns the content of the file in a form.
  private static func file(
    in body: [UInt8], type: String = type, named name: String? = nil
  ) throws -> [UInt8]? {
    let form = try #require(FormBody(spool(body), type: type))
    return try form.file(named: name).map { try $0.bytes(in: 0..<$0.count) }
  }

  private static func file(
    in body: String, type: String = type, named name: String? = nil
  ) throws -> String? {
    try file(in: Array(body.utf8), type: type, named: name).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test(arguments: [
    nil, "", "image/heic", "application/octet-stream", "multipart/mixed; boundary=x",
    "multipart/form-data", "multipart/form-data; charset=utf-8", "multipart/form-data; boundary",
  ])
  func `it takes a body of another type for the file itself`(_ type: String?) throws {
    #expect(try FormBody(Self.spool([1]), type: type) == nil)
  }

  @Test(arguments: [
    ("multipart/form-data; boundary=x", "x"),
    ("multipart/form-data; boundary=\"x\"", "x"),
    ("Multipart/Form-Data;BOUNDARY=x", "x"),
    ("multipart/form-data ;\tboundary=x ", "x"),
    ("multipart/form-data; charset=utf-8; boundary=x; other=y", "x"),
    ("multipart/form-data; other=\"; boundary=y\"; boundary=x", "x"),
    ("multipart/form-data; boundary=\"a b=c?d:e/f\"", "a b=c?d:e/f"),
    ("multipart/form-data; boundary=----WebKitFormBoundaryAb1", "----WebKitFormBoundaryAb1"),
  ])
  func `it finds the boundary in the type`(_ type: String, _ boundary: String) throws {
    let body = (Self.photo + "--x--\r\n").replacing("--x", with: "--\(boundary)")
    #expect(try Self.file(in: body, type: type) == "photo")
  }

  /// The parts of a form, the name that is asked for, and the content that is found.
  static let choices: [([String], String?, String?)] = [
    ([photo], nil, "photo"),
    ([note, photo], nil, "photo"),
    ([note, photo], "file", "photo"),
    ([note, photo], "note", "some words"),
    ([note, photo], "other", nil),
    ([note], nil, nil),
    ([], nil, nil),
    ([photo, part("name=second; filename=b", "two")], nil, "photo"),
    ([photo, part("name=second; filename=b", "two")], "second", "two"),
    ([part("name=file; filename*=UTF-8''%C3%A9.heic", "photo")], nil, "photo"),
    ([part("name=\"file\"; FileName=\"\"", "")], nil, ""),
    // Semicolons, quotes and names of parameters within a quoted text are part of it.
    ([part("name=\"a\"; filename=\"x; name=b\"", "one"), photo], "a", "one"),
    ([part("name=\"a\"; filename=\"x; name=b\"", "one"), photo], "b", nil),
    ([part("name=\"a; filename=b\"", "words"), photo], nil, "photo"),
    ([part("name=\"a\\\"; filename=b\"", "words"), photo], "a\"; filename=b", "words"),
    ([part("name=\"a\\\\\"; filename=b", "words"), photo], nil, "words"),
    // Beginnings of a delimiter, and delimiters that are not on a line of their own.
    (
      [part("name=f; filename=f", "\r\n--\r\n-\r\n\r\r\n--y--x\n--x")], nil,
      "\r\n--\r\n-\r\n\r\r\n--y--x\n--x"
    ),
  ]

  @Test(arguments: choices)
  func `it returns the part that is asked for, or else the first file`(
    _ parts: [String], _ name: String?, _ content: String?
  ) throws {
    #expect(try Self.file(in: parts.joined() + "--x--\r\n", named: name) == content)
  }

  @Test(arguments: ["A text before the first part.\r\n", "\r\n", "--y\r\n", "x"])
  func `it skips what precedes the first delimiter`(_ preamble: String) throws {
    let body = preamble + (preamble.hasSuffix("\r\n") ? "" : "\r\n") + Self.photo + "--x--\r\n"
    #expect(try Self.file(in: body) == "photo")
  }

  @Test func `it reads the other fields of a header`() throws {
    let body =
      "--x\r\nContent-Type: image/heic; name=other\r\n"
      + "CONTENT-DISPOSITION: form-data; name=file; filename=a\r\nX-Other: name=b\r\n\r\nphoto\r\n--x--"
    #expect(try Self.file(in: body, named: "file") == "photo")
    #expect(try Self.file(in: body, named: "other") == nil)
  }

  /// The content may be anywhere in the body, so delimiters begin at each place near the end of a step of reading.
  @Test(arguments: [1 << 20, 2 << 20], [-7, -6, -5, -4, -3, -2, -1, 0, 1])
  func `it finds a delimiter that is split between steps`(_ size: Int, _ offset: Int) throws {
    // Its second step begins a delimiter's length earlier than the first one ends.
    let count = size + offset - (size > 1 << 20 ? 5 : 0)
    var content = [UInt8](repeating: 0x2d, count: count)
    content[count - 3] = 0x0d
    let head = "--x\r\nContent-Disposition: form-data; name=f; filename=f\r\n\r\n"
    let found = try Self.file(in: Array(head.utf8) + content + Array("\r\n--x--\r\n".utf8))
    let isWhole = found == content
    #expect(isWhole)
  }

  @Test func `it finds a part behind one of several mebibytes`() throws {
    let large = String(repeating: "0123456789abcdef", count: 3 << 16)
    let body = Self.part("name=a", large) + Self.photo + "--x--\r\n"
    #expect(try Self.file(in: body) == "photo")
    let isWhole = try Self.file(in: body, named: "a") == large
    #expect(isWhole)
  }

  @Test(arguments: [(8000, true), (8192, false), (100_000, false)])
  func `it reads no header of more than 8 KiB`(_ size: Int, _ isFound: Bool) throws {
    let filler = "; filler=" + String(repeating: "y", count: size)
    let body = Self.part("name=file; filename=a" + filler, "photo") + "--x--\r\n"
    #expect(try (Self.file(in: body) == "photo") == isFound)
  }

  @Test func `it finds nothing in a body that is cut off`() throws {
    let body = Array((Self.note + Self.photo + "--x--\r\n").utf8)
    // What follows the name of the boundary says only whether there are more parts.
    let whole = body.count - "--\r\n".utf8.count
    for count in 0..<whole {
      #expect(try Self.file(in: Array(body[..<count])) == nil, "\(count) bytes")
    }
    for count in whole...body.count {
      #expect(try Self.file(in: Array(body[..<count])) == Array("photo".utf8), "\(count) bytes")
    }
  }
}
