// SPDX-License-Identifier: MIT

import ApusFiles
import Testing

struct PathTextTests {
  @Test(arguments: [
    ("clip.mov", "clip", "mov"), ("a.b/clip", "a.b/clip", ""),
    ("a.b/clip.tar.GZ", "a.b/clip.tar", "GZ"),
    (".hidden", ".hidden", ""), ("a/.hidden", "a/.hidden", ""), (".hidden.jpg", ".hidden", "jpg"),
    ("end.", "end", ""), ("", "", ""), ("a/", "a/", ""), ("x.\u{301}jpg", "x", "\u{301}jpg"),
  ]) func `it parts extension and stem`(path: String, stem: String, ending: String) {
    #expect(path.withoutExtension.utf8.elementsEqual(stem.utf8))
    #expect(path.pathExtension.utf8.elementsEqual(ending.utf8))
  }
}
