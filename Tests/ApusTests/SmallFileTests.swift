// SPDX-License-Identifier: MIT

import ApusFiles
import TestSupport
import Testing

@testable import ApusCommand

struct SmallFileTests {
  @Test(arguments: [
    ("a\nb\n", ["1 a", "2 b"]),
    ("a\r\n\r\nb", ["1 a", "3 b"]),
    ("\u{feff}a b\n", ["1 a b"]),
    ("\u{feff}# of mine\n \t#\n\t a \n", ["3 a"]),
    ("a\u{feff}", ["1 a\u{feff}"]),
    ("", []),
  ])
  func `it gives the lines that say something, with their numbers`(
    text: String, lines: [String]
  ) throws {
    let folder = try TestFolder()
    try folder.write(text, to: "keys")
    let found = try InputName(path: folder.file("keys")).lines("a file of keys")
    #expect(found.map { "\($0.number) \($0.text)" } == lines)
  }

  @Test func `it reads no more than a mebibyte`() throws {
    let folder = try TestFolder()
    for (name, size) in [("most", 1 << 20), ("more", 1 << 20 + 1)] {
      try folder.write(String(repeating: "A", count: size), to: name)
    }
    let kind = "a file of keys"
    #expect(try InputName(path: folder.file("most")).smallFile(kind).count == 1 << 20)
    let error = #expect(throws: FileError.self) {
      try InputName(path: folder.file("more")).smallFile(kind)
    }
    #expect(error?.reason == "a file of keys has at most 1 MiB")
  }
}
