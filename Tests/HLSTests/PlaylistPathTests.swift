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
