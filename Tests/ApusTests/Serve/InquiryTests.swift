// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import TestSupport
import Testing

@testable import ApusCommand
@testable import ApusHTTP

@Suite struct InquiryTests {
  static func spool(_ bytes: [UInt8]) throws -> SpoolSource {
    let spool = try SpoolSource()
    _ = try spool.append(bytes.span)
    return spool
  }

  static func inquiry(
    _ target: String, _ body: [UInt8], type: String? = nil
  ) throws -> Inquiry {
    let head = HTTPHead(target: target, type.map { [("Content-Type", $0)] } ?? [])
    let route = try #require(Route.all.first { $0.path == head.path })
    return try Inquiry(route, head.query, spool(body), head)
  }

  @Test func `its tag is the same for the same request`() throws {
    let body = Array("a file".utf8)
    let tag = try Self.inquiry("/v1/convert?quality=80", body).tag
    #expect(tag.wholeMatch(of: /"[0-9a-f]{32}"/) != nil)
    #expect(try Self.inquiry("/v1/convert?quality=80", body).tag == tag)
    // The type of a body that is the file itself changes nothing.
    #expect(try Self.inquiry("/v1/convert?quality=80", body, type: "image/heic").tag == tag)
  }

  /// Every part of a request on which its answer depends.
  @Test func `its tag tells requests apart`() throws {
    let large = [UInt8](repeating: 7, count: 1 << 20)
    let inquiries = [
      try Self.inquiry("/v1/convert", [1]), try Self.inquiry("/v1/thumbnail", [1]),
      try Self.inquiry("/v1/convert", [2]), try Self.inquiry("/v1/convert", [1, 1]),
      try Self.inquiry("/v1/convert?srgb", [1]), try Self.inquiry("/v1/convert?srgb=", [1]),
      try Self.inquiry("/v1/convert?srgb=1", [1]),
      try Self.inquiry("/v1/edit?set=a&set=b", [1]), try Self.inquiry("/v1/edit?set=b&set=a", [1]),
      try Self.inquiry("/v1/edit?set=ab", [1]), try Self.inquiry("/v1/edit?set=a", [1]),
      // A file larger than a step of reading.
      try Self.inquiry("/v1/convert", large), try Self.inquiry("/v1/convert", large + [1]),
      try Self.inquiry("/v1/convert", large + [2]),
    ]
    #expect(Set(inquiries.map(\.tag)).count == inquiries.count)
  }

  private static let form =
    "--x\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nwords\r\n"
    + "--x\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a\"\r\n\r\na file\r\n--x--\r\n"

  @Test(arguments: ["", "?field=photo"])
  func `it takes the file out of a form`(_ query: String) throws {
    let type = "multipart/form-data; boundary=x"
    let inquiry = try Self.inquiry("/v1/convert\(query)", Array(Self.form.utf8), type: type)
    #expect(try inquiry.file.bytes(in: 0..<inquiry.file.count) == Array("a file".utf8))
    let same = try Self.inquiry("/v1/convert\(query)", Array("a file".utf8))
    #expect(inquiry.tag == same.tag)
  }

  @Test(arguments: ["", "field", "field=", "field=other", "field=empty"])
  func `it refuses a form whose file is missing or empty`(_ query: String) throws {
    let empty = "--x\r\nContent-Disposition: form-data; name=empty; filename=a\r\n\r\n\r\n"
    let error = #expect(throws: Problem.self) {
      try Self.inquiry(
        "/v1/convert?\(query)", Array((empty + Self.form).utf8),
        type: "multipart/form-data; boundary=x")
    }
    #expect(error == Problem(400, "misuse", "the form has no file"))
  }

  @Test(arguments: [
    ([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], "png"), ([0xff, 0xd8, 0xff, 0xe0], "jpeg"),
    ([], "jpeg"), ([1], "jpeg"),
  ])
  func `it knows the kind of its file when it makes the call`(_ body: [UInt8], _ format: String)
    throws
  {
    let words = try Self.inquiry("/flip", body).call(VerbLimits(), threads: 5).words
    #expect(words.contains("--format=\(format)"))
    #expect(words.contains("--jobs=5"))
  }
}
