// SPDX-License-Identifier: MIT

import ApusBytes
import ApusJSON
import TestSupport
import Testing

@testable import ApusCommand

/// The verbs that only a server calls.
@Suite struct ServeVerbsTests {
  private static func object(_ text: String) throws -> JSONValue {
    try JSONReader.value(of: Array(text.utf8))
  }

  /// A fixture, its sides as it is seen, its type, its space, its channels, and whether it has a profile.
  static let pictures: [(String, Int, Int, String, String, Int, Bool)] = [
    ("photo.heic", 320, 240, "heif", "srgb", 3, false),
    ("alpha-straight.heic", 104, 72, "heif", "srgb", 4, false),
    ("portrait.heic", 72, 104, "heif", "srgb", 3, false),
    ("still-400.heic", 104, 72, "heif", "b-w", 1, false),
    ("still-10bit.heic", 96, 72, "heif", "rgb16", 3, false),
    ("grid-icc.heic", 104, 72, "heif", "srgb", 3, true),
    ("440.jpg", 32, 67, "jpeg", "srgb", 3, false),
  ]

  @Test(arguments: pictures)
  func `it tells the facts of a picture as Imaginary does`(
    _ name: String, _ width: Int, _ height: Int, _ type: String, _ space: String, _ channels: Int,
    _ hasProfile: Bool
  ) throws {
    let said = try bash("apus serve-properties --json $F/\(name)")
    #expect(said.status == 0)
    let facts = try Self.object(said.output)
    let expected: [JSONValue.Member] = [
      .init("width", .number("\(width)")), .init("height", .number("\(height)")),
      .init("type", .text(type)), .init("space", .text(space)),
      .init("hasAlpha", .truth(channels % 2 == 0)), .init("hasProfile", .truth(hasProfile)),
      .init("channels", .number("\(channels)")), .init("orientation", .number("1")),
    ]
    #expect(facts == .object(expected))
  }

  @Test(arguments: ["enhanced.flv", "hevc.mkv"])
  func `it fails for what is no picture`(_ name: String) throws {
    let said = try bash("apus serve-properties --json $F/\(name) 2>/dev/null")
    #expect(said.status == 1)
    #expect(said.output.isEmpty)
  }

  @Test func `it makes several sizes as the parts of one body`() throws {
    let folder = try TestFolder()
    try folder.run("cp '\(Fixture.folder)photo.heic' photo.heic")
    let made = try bash(
      """
      cd \(folder.path)
      apus serve-sizes --policy=always --side=64 --side=33 --jobs=1 --output=- - < photo.heic > body
      for side in 64 33; do apus thumbnail --policy=always -s $side -o $side.jpg photo.heic; done
      """)
    #expect(made.status == 0)
    let body = try folder.read("body")
    var expected: [UInt8] = []
    let parts = try [("64", 64, 48), ("33", 33, 25)].map { name, width, height in
      (name: name, width: width, height: height, bytes: try folder.read("\(name).jpg"))
    }
    let boundary = MultipartBody(parts.map(\.bytes)).boundary
    for part in parts {
      let head =
        "--\(boundary)\r\nContent-Type: image/jpeg\r\nContent-Length: \(part.bytes.count)\r\n"
        + "Content-Disposition: attachment; name=\"\(part.name)\"\r\n"
        + "Image-Width: \(part.width)\r\nImage-Height: \(part.height)\r\n\r\n"
      expected += Array(head.utf8) + part.bytes + Array("\r\n".utf8)
    }
    expected += Array("--\(boundary)--\r\n".utf8)
    let isSame = body.starts(with: expected)
    #expect(isSame)
    // The report comes last.
    let report = try JSONReader.value(of: Array(body.dropFirst(expected.count)))
    #expect(report["status"]?.text == "converted")
    #expect(report["error"] == .null)
  }

  @Test func `it makes nothing of a photo that is cut off`() throws {
    let made = try bash(
      "head -c 4000 $F/photo.heic | apus serve-sizes --side=64 --side=33 --output=- - 2>/dev/null")
    #expect(made.status == 1)
    #expect(try Self.object(made.output)["error"]?["kind"]?.text == "truncated")
  }

  @Test(arguments: [(0, 0, 0), (1, 28, 96 << 20), (-1, .max, .max)] as [(Int32, Int32, Int)])
  func `a reply arrives as it was sent`(_ status: Int32, _ error: Int32, _ resident: Int) throws {
    let channel = try Channel()
    let reply = VerbReply(status: status, resultsError: error, resident: resident)
    #expect(reply.write(to: channel.ends[0]))
    var isUnread = false
    let read = try #require(VerbReply(from: channel.ends[1], &isUnread))
    #expect((read.status, read.resultsError, read.resident) == (status, error, resident))
    channel.close(0)
    #expect(VerbReply(from: channel.ends[1], &isUnread) == nil)
    #expect(!isUnread)
  }

  @Test func `a process that ends with an unread request is told apart`() throws {
    let channel = try Channel()
    #expect(VerbReply(status: 0, resultsError: 0, resident: 0).write(to: channel.ends[1]))
    channel.close(0)
    var isUnread = false
    #expect(VerbReply(from: channel.ends[1], &isUnread) == nil)
    #expect(isUnread)
  }
}
