// SPDX-License-Identifier: MIT

import ApusBytes
import Glibc
import TestSupport
import Testing

@testable import ApusFiles

struct FileOutputTests {
  /// With a nameless file, and as on a file system that has none.
  @Test(arguments: [true, false], OnExists.allCases)
  func `it appears whole`(_ nameless: Bool, _ onExists: OnExists) throws {
    let folder = try TestFolder()
    let path = folder.file("new.heic")
    let output = try #require(
      try FileOutput(path, onExists: onExists, tryingNameless: nameless))
    try output.writer.write("new")
    #expect(try !folder.listing().contains("new.heic"))
    #expect(try output.commit() == path)
    #expect(try folder.listing() == ["new.heic"])
    #expect(try folder.contents("new.heic") == "new")
  }

  @Test(arguments: [true, false])
  func `it leaves nothing when it is not committed`(_ nameless: Bool) throws {
    let folder = try TestFolder()
    try folder.write("old", to: "f")
    for _ in 0..<2 {
      let output = try #require(
        try FileOutput(folder.file("f"), onExists: .replace, tryingNameless: nameless))
      try output.writer.write(String(repeating: "x", count: 1 << 20))
      // Nothing has a name yet, so that even a killed process leaves nothing.
      if nameless { #expect(try folder.listing() == ["f"]) }
    }
    #expect(try folder.listing() == ["f"])
    #expect(try folder.contents("f") == "old")
  }

  @Test(arguments: [true, false])
  func `it leaves nothing when its input fails`(_ nameless: Bool) throws {
    let folder = try TestFolder()
    do {
      let output = try #require(
        try FileOutput(folder.file("f"), onExists: .skip, tryingNameless: nameless))
      try folder.write(String(repeating: "x", count: 1 << 18), to: "input")
      let source = try FileSource(folder.file("input"))
      #expect(unsafe truncate(folder.file("input"), 100_000) == 0)
      #expect(throws: SyntaxError.self) {
        try output.writer.append(Extent(source, 0..<source.count))
      }
    }
    #expect(try folder.listing() == ["input"])
  }

  @Test(arguments: [true, false])
  func `it skips replaces or renames`(_ nameless: Bool) throws {
    let folder = try TestFolder()
    let path = folder.file("a.b.heic")
    try folder.write("old", to: "a.b.heic")
    #expect(try FileOutput(path, onExists: .skip, tryingNameless: nameless) == nil)
    for name in ["a.b-1.heic", "a.b-2.heic"] {
      let output = try FileOutput(path, onExists: .rename, tryingNameless: nameless)
      try output?.writer.write(name)
      #expect(try output?.commit() == folder.file(name))
      #expect(try folder.contents(name) == name)
    }
    #expect(try folder.contents("a.b.heic") == "old")
    let output = try FileOutput(path, onExists: .replace, tryingNameless: nameless)
    try output?.writer.write("new")
    #expect(try folder.contents("a.b.heic") == "old")
    try output?.commit()
    #expect(try folder.contents("a.b.heic") == "new")
    #expect(try folder.listing() == ["a.b-1.heic", "a.b-2.heic", "a.b.heic"])
  }

  @Test(arguments: [true, false])
  func `it never replaces a file that came meanwhile`(_ nameless: Bool) throws {
    let folder = try TestFolder()
    do {
      let output = try FileOutput(folder.file("f"), onExists: .skip, tryingNameless: nameless)
      try output?.writer.write("late")
      try folder.write("first", to: "f")
      #expect(throws: FileError("write", folder.file("f"), code: EEXIST)) { try output?.commit() }
    }
    #expect(try folder.listing() == ["f"])
    #expect(try folder.contents("f") == "first")
  }

  @Test func `it keeps links and permissions`() throws {
    let folder = try TestFolder()
    try folder.write("old", to: "f")
    try folder.run("chmod 640 f; ln -s f link")
    let output = try FileOutput(folder.file("link"), onExists: .replace)
    try output?.writer.write("new")
    try output?.commit()
    #expect(
      try folder.printed("stat -c '%A' f link; cat f")
        == "-rw-r-----\nlrwxrwxrwx\nnew")
  }

  @Test func `it tells when the disk is full`() throws {
    let output = try FileOutput("/dev/full", onExists: .skip)
    try output?.writer.write("x")
    #expect(throws: FileError("write", "/dev/full", code: ENOSPC)) { try output?.commit() }
    #expect(throws: FileError("write", "/dev/full", code: ENOSPC)) {
      try output?.writer.write("y")
      try output?.writer.flush()
    }
    try TestFolder().run("test -c /dev/full")
  }

  @Test func `it makes no folders`() throws {
    let folder = try TestFolder()
    let path = folder.file("a/b/f")
    let missing = FileError(
      "write", path,
      reason: "there is no folder \(folder.file("a/b")); only an output that ends with / makes one")
    #expect(throws: missing) { try FileOutput(path) }
    #expect(throws: missing) { try GrowingFile(path) }
    #expect(throws: missing) { try OutputFolder.require(for: path) }
    #expect(try folder.listing().isEmpty)
    try OutputFolder.make(for: path)
    try FileOutput(path)?.commit()
    #expect(try folder.listing() == ["a", "a/b", "a/b/f"])
    try OutputFolder.require(for: "f")
    try OutputFolder.require(for: "-")
  }

  /// The permissions of what a file is made from, and its own; with one that it takes the place of.
  @Test(
    arguments: [
      (0o600, nil, 0o600), (0o640, nil, 0o640), (0o644, nil, 0o644), (0o777, nil, 0o644),
      (0o400, nil, 0o600), (0o604, nil, 0o604), (0o600, 0o644, 0o644),
    ] as [(mode_t, mode_t?, mode_t)])
  func `it lets others do no more than with what it is made from`(
    _ origin: mode_t, _ old: mode_t?, _ expected: mode_t
  ) throws {
    let folder = try TestFolder()
    try folder.write("photo", to: "origin")
    unsafe chmod(folder.file("origin"), origin)
    if let old {
      try folder.write("old", to: "new")
      unsafe chmod(folder.file("new"), old)
    }
    let output = try #require(try FileOutput(folder.file("new"), onExists: .replace))
    output.limitAccess(like: folder.file("origin"))
    try output.writer.write("new")
    try output.commit()
    #expect(
      try folder.printed("stat -c %a new") == "\(String(expected, radix: 8))\n")
  }

  @Test func `it tells where it may not write`() throws {
    let folder = try TestFolder()
    #expect(throws: FileError("write", folder.path, code: EISDIR)) { try FileOutput(folder.path) }
    #expect(throws: FileError.self) { try FileOutput("/proc/apus/f") }
    try folder.write("", to: "f")
    #expect(throws: FileError("write", folder.file("f/g"), code: ENOTDIR)) {
      try FileOutput(folder.file("f/g"))
    }
    try folder.run("mkdir -m 555 locked")
    if geteuid() != 0 {
      #expect(throws: FileError("write", folder.file("locked/f"), code: EACCES)) {
        try FileOutput(folder.file("locked/f"))
      }
    }
  }

  @Test func `it copies what stays in its input`() throws {
    let folder = try TestFolder()
    let text = String((0..<300_000).map { Character(Unicode.Scalar(UInt8(97 + $0 % 23))) })
    try folder.write(text, to: "input")
    let source = try FileSource(folder.file("input"))
    let output = try #require(try FileOutput(folder.file("f")))
    try output.writer.write("<")
    try output.writer.append(Extent(source, 7..<299_990))
    try output.writer.append(Extent(source, 0..<10))
    try output.writer.append(Extent(Array(text.utf8)))
    try output.writer.write(">")
    #expect(output.writer.count == 1 + 299_983 + 10 + 300_000 + 1)
    try output.commit()
    let expected = "<" + text.dropFirst(7).dropLast(10) + text.prefix(10) + text + ">"
    #expect(try folder.contents("f") == expected)
  }
}
