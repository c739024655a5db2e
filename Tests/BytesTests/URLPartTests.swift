// SPDX-License-Identifier: MIT

import ApusBytes
import Testing

struct URLPartTests {
  @Test(arguments: [
    ("a b", "", "a%20b"), ("é/~", "", "%C3%A9%2F~"), ("é/~", "/", "%C3%A9/~"),
    ("[1]", "", "%5B1%5D"),
  ]) func `it escapes text`(text: String, others: String, escaped: String) {
    #expect(text.utf8.percentEncoded(allowing: others) == escaped)
    #expect(escaped.percentDecoded(isStrict: true) == text)
  }

  @Test(
    arguments: [
      ("%+5", "%+5"), ("%5", "%5"), ("100%", "100%"), ("%zz%41", "%zzA"), ("%ff", nil),
      ("%é0", "%é0"),
    ] as [(String, String?)])
  func `it keeps a percent sign without two digits`(escaped: String, text: String?) {
    #expect(escaped.percentDecoded() == text)
    if escaped != "%ff" { #expect(escaped.percentDecoded(isStrict: true) == nil) }
  }

  @Test(
    arguments: [
      ("host", "host", nil), ("host:80", "host:80", nil), ("[::1]:80", "[::1]:80", nil),
      ("a:b@c@host:", "host", "a:b@c"), ("10.0.0.1:65535", "10.0.0.1:65535", nil),
    ] as [(String, String, String?)])
  func `it reads authorities`(text: String, shown: String, user: String?) throws {
    let authority = try Authority(text[...])
    #expect(authority.description == shown)
    #expect(authority.userInfo.map(String.init) == user)
  }

  @Test(
    arguments: [
      ("", "an address has no host"), (":80", "an address has no host"),
      ("h:0", "the port is 0, allowed are 1 to 65535"), ("h:+80", "the port is +80"),
      ("::1:80", "an address has no host"), ("[::1", "lacks its closing bracket"),
      ("[h]:80", "is not an IPv6 address"), ("[::1]80", "a port begins with a colon"),
    ])
  func `it says what is wrong with an authority`(text: String, words: String) {
    let error = #expect(throws: SyntaxError.self) { try Authority(text[...]) }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }
}
