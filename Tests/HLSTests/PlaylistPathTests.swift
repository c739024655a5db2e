// SPDX-License-Identifier: MIT

import ApusBytes
import HLS
import Testing

struct PlaylistPathTests {
  /// As RFC 3986, 5.4, has it for what lies below one folder.
  @Test(arguments: [
    ("1.m4s", "", "1.m4s"), ("1.m4s", "index.m3u8", "1.m4s"),
    ("1.m4s", "video/index.m3u8", "video/1.m4s"), ("./1.m4s", "video/x.m3u8", "video/1.m4s"),
    ("../1.m4s", "a/b/x.m3u8", "a/1.m4s"), ("../../1.m4s", "a/x.m3u8", "../1.m4s"),
    ("../../../1", "", "../../../1"), ("/etc/passwd", "a/b", "/etc/passwd"),
    ("a%20b.m4s?x=1#y", "", "a b.m4s"), ("%2e%2e/x", "", "../x"), ("%2fetc", "", "/etc"),
    ("a%2", "", "a%2"), ("a%+1", "", "a%+1"), ("a/..//b", "", "b"), ("file:///tmp/a", "", "/tmp/a"),
    ("a:b", "", "a:b"), ("x", "/abs/list.m3u8", "/abs/x"),
  ]) func `it resolves names`(name: String, base: String, path: String) throws {
    #expect(try PlaylistPath.resolved(name, in: base) == path)
  }

  /// The examples of RFC 3986, 5.4, without fragments, which are no part of what is fetched.
  @Test(arguments: [
    ("http://g/x", "http://g/x"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"),
    ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"), ("//g", "http://g"),
    ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("g#s", "http://a/b/c/g"),
    (";x", "http://a/b/c/;x"), ("g;x?y#s", "http://a/b/c/g;x?y"), (".", "http://a/b/c/"),
    ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
    ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../g", "http://a/g"),
    ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
    ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
    ("./g/.", "http://a/b/c/g/"), ("g/../h", "http://a/b/c/h"),
    ("g;x=1/../y", "http://a/b/c/y"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("a%20b", "http://a/b/c/a%20b"),
  ]) func `it resolves names at an address`(name: String, address: String) throws {
    #expect(try PlaylistPath.resolved(name, in: "http://a/b/c/d;p?q") == address)
    #expect(!PlaylistPath.leaves(address))
  }

  @Test(arguments: ["file:///etc/passwd", "data:x", "", "gg:h"])
  func `it refuses what is no address in the web`(name: String) {
    #expect(throws: SyntaxError.self) { try PlaylistPath.resolved(name, in: "https://a/b") }
  }

  @Test(arguments: [
    "https://example.com/a", "http:a", "//host/a", "data:x", "", "a%00b", "?x", "%ff",
  ])
  func `it refuses what is no file`(name: String) {
    #expect(throws: SyntaxError.self) { try PlaylistPath.resolved(name, in: "") }
  }

  @Test(arguments: [
    ("a", false), ("a/b", false), ("..a", false), ("..", true), ("../a", true), ("/a", true),
  ]) func `it knows what leads out of a folder`(path: String, leaves: Bool) {
    #expect(PlaylistPath.leaves(path) == leaves)
  }
}
