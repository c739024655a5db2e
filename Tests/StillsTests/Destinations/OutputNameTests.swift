// SPDX-License-Identifier: MIT

import Testing

@testable import ApusStills

struct OutputNameTests {
  @Test(arguments: [
    ("{dir}/{stem}.{ext}", "IMG_1.HEIC", "photos/a", "photos/a/IMG_1.jpg"),
    ("{dir}/{stem}.{ext}", "IMG_1.HEIC", "", "IMG_1.jpg"),
    ("{dir}/{stem}.{ext}", "IMG_1.HEIC", "/", "/IMG_1.jpg"),
    ("{dir}/{stem}.{ext}", "IMG_1.HEIC", "out/", "out/IMG_1.jpg"),
    ("{dir}/{stem}.{ext}", "2024.01.02.heic", ".", "./2024.01.02.jpg"),
    ("{dir}/{stem}.{ext}", ".heic", "a", "a/.heic.jpg"),
    ("{dir}/{stem}.{ext}", "photo", "a", "a/photo.jpg"),
    ("{dir}/{stem}.{ext}", "a{b}.heic", "a", "a/a{b}.jpg"),
    ("{dir}/web/{stem}-small.{ext}", "a.heic", "x", "x/web/a-small.jpg"),
    ("/srv/{stem}", "a.heic", "x", "/srv/a"),
    ("/srv/{stem}", "a.heic", "", "/srv/a"),
    ("{stem}-web.{ext}", "a.heic", "x", "x/a-web.jpg"),
    ("web/{stem}", "a.heic", "x/", "x/web/a"), ("web/{stem}", "a.heic", "/", "/web/a"),
    ("web/{stem}", "a.heic", "", "web/a"),
  ])
  func `it names outputs`(_ template: String, _ input: String, _ folder: String, _ path: String)
    throws
  {
    let name = try #require(OutputName(template))
    #expect(name.path(of: .primary, for: input, in: folder, extension: "jpg") == path)
  }

  @Test(arguments: [
    ("{dir}/{date}/{stem}", "x/2024-01-31/a"),
    ("{date:%y%m%d-%H%M%S%%}{stem}", "x/240131-235907%a"),
    ("{dir}/{parent}/{n}.{ext}", "x/Rome/12.jpg"), ("{n:4}{ext}", "x/0012jpg"),
    ("{camera}/{stem}", "x/A_B c/a"),
  ])
  func `it takes fields`(_ template: String, _ path: String) throws {
    let name = try #require(OutputName(template))
    var fields = NameFields()
    fields.date = CalendarTime(exif: "2024:01:31 23:59:07")
    (fields.camera, fields.number) = (" ..A/B c ", 12)
    let made = name.path(
      of: .primary, for: "a.heic", in: "x", extension: "jpg", parent: "Rome", fields: fields)
    #expect(made == path)
  }

  @Test func `it names what nothing is known of`() throws {
    let name = try #require(OutputName("{date}-{camera}-{parent}-{n}"))
    #expect(
      name.path(of: .other(2), for: "a.heic", in: "x", extension: "jpg")
        == "x/unknown-unknown-unknown-0.2")
  }

  @Test(arguments: [
    "2024:13:01 00:00:00", "2024:01:32 00:00:00", "0000:00:00 00:00:00", "2024:01:01", "",
    "    :  :  ",
  ])
  func `it reads no date that is none`(_ text: String) { #expect(CalendarTime(exif: text) == nil) }

  @Test func `it numbers other pictures`() throws {
    let name = try #require(OutputName())
    #expect(name.path(of: .other(2), for: "a.heic", in: "x", extension: "png") == "x/a.2.png")
    #expect(name.path(of: .other(13), for: "a.b.heic", in: "", extension: "png") == "a.b.13.png")
  }

  @Test(arguments: [
    "", "out.jpg", "{dir}/{ext}", "{stem", "stem}", "{stem}{name}", "{{stem}}", "{stem}}",
    "{dir}/{date}", "{stem}{date:%q}", "{stem}{date:}", "{stem}{n:0}", "{stem}{n:x}",
    "{stem}{dir:1}",
  ])
  func `it refuses templates that name nothing`(_ template: String) {
    #expect(OutputName(template) == nil)
  }

  @Test(arguments: [
    ("a.jpg", OutputFormat.jpeg), ("a.b/c.JPEG", .jpeg), ("x.PNG", .png), ("x.ppm", .ppm),
    ("x.yuv", .yuv), ("x.heic", .heic), ("x.HIF", .heic), ("x.heix", nil), ("a.jpg/x", nil),
    ("jpg", nil), ("x.", nil),
  ])
  func `it tells the format by the name`(_ path: String, _ format: OutputFormat?) {
    #expect(OutputFormat(extensionOf: path) == format)
  }

  @Test func `it gives each output to one photo`() {
    let claims = OutputClaims()
    #expect(claims.claim("a.jpg", for: "a.heic") == .first)
    #expect(claims.claim("a.jpg", for: "a.HEIC") == .taken)
    #expect(claims.claim("a.jpg", for: "a.heic") == .again)
    #expect(claims.claim("a.jpg", for: "a.HEIC") == .again)
    #expect(claims.claim("b.jpg", for: "a.heic") == .first)
    // However the folder is spelled, and before it is made.
    #expect(claims.claim("./b.jpg", for: "b.heic") == .taken)
    #expect(claims.claim("/proc/self/cwd/b.jpg", for: "c.heic") == .taken)
    #expect(claims.claim("/proc/self/cwd/no such/folder/b.jpg", for: "a.heic") == .first)
    #expect(claims.claim("no such/folder/b.jpg", for: "b.heic") == .taken)
  }

  @Test(arguments: [
    ("\u{e9}.jpg", "e\u{301}.jpg", false, false), ("\u{e9}.jpg", "e\u{301}.jpg", true, true),
    ("\u{e9}.jpg", "E\u{301}.JPG", true, true), ("\u{e9}.jpg", "e.jpg", true, false),
    ("a.jpg", "A.jpg", false, false), ("a.jpg", "a.jpg", false, true),
  ])
  func `it compares names as the file system does`(
    _ one: String, _ other: String, _ ignoringCase: Bool, _ same: Bool
  ) {
    let keys = [one, other].map { OutputClaims.key($0, ignoringCase: ignoringCase) }
    #expect((keys[0] == keys[1]) == same)
  }

  @Test(arguments: [
    ("max 100000\n", nil), ("200000 100000\n", 2), ("150000 100000\n", 2), ("1000 100000\n", 1),
    ("", nil), ("0 0\n", nil), ("-1 100000\n", nil), ("9223372036854775807 1\n", Int.max),
  ])
  func `it reads quotas`(_ text: String, _ count: Int?) {
    #expect(processors(inQuota: text) == count)
  }

  @Test(arguments: [
    ("0-3", 4), ("\t0\n", 1), ("0-1,4,6-7", 5), ("", nil), ("3-1", nil), ("a", nil), ("1-2-3", nil),
  ])
  func `it reads processor lists`(_ text: String, _ count: Int?) {
    #expect(processors(inList: text) == count)
  }

  @Test func `it counts at least one processor`() {
    #expect(usableProcessors() >= 1)
  }
}
