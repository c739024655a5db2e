// SPDX-License-Identifier: MIT

import Testing

@testable import ApusReport

/// What a file holds becomes text, never an element.
struct HTMLWriterTests {
  private func written(_ body: (inout HTMLWriter) -> Void) -> String {
    var html = HTMLWriter()
    body(&html)
    return String(decoding: html.bytes, as: UTF8.self)
  }

  @Test func `it escapes text`() {
    #expect(
      written { $0.element("p", "</p><script>\"&'") } == "<p>&lt;/p&gt;&lt;script&gt;\"&amp;'</p>")
  }

  @Test func `it escapes values of attributes`() {
    #expect(
      written { $0.element("p", [.title("\" onload=\"x<>&")], "") }
        == "<p title=\"&quot; onload=&quot;x&lt;&gt;&amp;\"></p>")
  }

  @Test(arguments: [0, 0x1b, 0x7f, 0x85, 0x202e, 0xfdd0, 0xfffe, 0x1ffff] as [UInt32])
  func `it spells characters that a page may not hold`(_ code: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(code))
    let spelled = "a\\u{" + String(code, radix: 16) + "}é\n"
    #expect(written { $0.text("a\(Character(scalar))é\n") } == spelled)
  }

  @Test(arguments: [
    ("moov/trak[1]", "#moov/trak%5B1%5D"), ("a b<\">", "#a%20b%3C%22%3E"), ("©nam", "#%C2%A9nam"),
    ("100%", "#100%25"),
  ])
  func `it links to places of any name`(_ id: String, _ address: String) {
    #expect(
      written { $0.element("a", [.link(to: id)], "") } == "<a href=\"\(address)\"></a>")
  }

  @Test func `it names places without spaces`() {
    #expect("url /a\tb".asIdentifier == "url_/a_b")
  }

  @Test(arguments: [
    ("photo.heic", "photo.heic"), ("a b.mp4", "'a b.mp4'"), ("it's", #"'it'\''s'"#),
    ("-o", "./-o"), ("", "''"), ("$(x)", "'$(x)'"),
  ])
  func `it quotes words for a shell`(_ name: String, _ word: String) {
    #expect(name.asShellWord == word)
  }

  @Test(arguments: [(1.0, "1"), (0.5, "0.5"), (12.345, "12.35"), (-0.04, "-0.04"), (.nan, "0")])
  func `it writes coordinates`(_ value: Double, _ text: String) {
    #expect(PlaceText.coordinate(value) == text)
  }
}
