// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import TestSupport
import Testing

struct FolderOutputTests {
  private func write(_ path: String, _ text: String, onExists: OnExists = .skip) throws -> String? {
    guard let output = try FolderOutput(path, onExists: onExists, isOwn: { $0.contains("/") })
    else { return nil }
    let file = try output.file("video-1/init.mp4")
    try file.writer.write("\(text) and more")
    try file.replace(at: 0, with: Array("T".utf8))
    try output.file("list").writer.flush()
    try file.writer.flush()
    return try output.commit { "\($0)/video-1/init.mp4\n" }
  }

  @Test func `it appears with its folder`() throws {
    let folder = try TestFolder()
    #expect(try write(folder.file("new/index.m3u8"), "text") == folder.file("new/index.m3u8"))
    #expect(try first(of: "new/index.m3u8", in: folder) == "index/video-1/init.mp4")
    #expect(try folder.contents("new/index/video-1/init.mp4") == "Text and more")
    #expect(
      try folder.listing() == [
        "new", "new/index", "new/index.m3u8", "new/index/.apus-folder", "new/index/list",
        "new/index/video-1",
        "new/index/video-1/init.mp4",
      ])
  }

  @Test func `it leaves nothing unless it was committed`() throws {
    let folder = try TestFolder()
    do {
      let output = try FolderOutput(folder.file("index.m3u8"), isOwn: { _ in true })
      try output?.file("a/b/c").writer.write("x")
    }
    #expect(try folder.listing().isEmpty)
  }

  @Test func `it takes a name that no folder has`() throws {
    let folder = try TestFolder()
    let path = folder.file("a b.m3u8")
    #expect(try write(path, "one") == path)
    #expect(try write(path, "two") == nil)
    #expect(try write(path, "two", onExists: .replace) == path)
    #expect(try first(of: "a b.m3u8", in: folder) == "a-b-1/video-1/init.mp4")
    #expect(try write(path, "two", onExists: .rename) == folder.file("a b-1.m3u8"))
  }

  @Test func `it takes away what it wrote itself and nothing else`() throws {
    let folder = try TestFolder()
    let path = folder.file("index.m3u8")
    _ = try write(path, "one")
    // What lies straight in the folder is no file of this kind of output.
    try folder.write("mine", to: "index/video-1/mine.mp4")
    _ = try write(path, "two", onExists: .replace)
    #expect(
      try folder.listing() == [
        "index", "index-1", "index-1/.apus-folder", "index-1/list", "index-1/video-1",
        "index-1/video-1/init.mp4", "index.m3u8", "index/.apus-folder", "index/list",
        "index/video-1", "index/video-1/mine.mp4",
      ])
  }

  @Test func `it keeps an input of the folder that it replaces`() throws {
    let folder = try TestFolder()
    let path = folder.file("index.m3u8")
    _ = try write(path, "one")
    let inputs = InputFiles()
    inputs.add(folder.file("index/video-1/init.mp4"))
    let output = try #require(
      try FolderOutput(path, onExists: .replace, inputs: inputs, isOwn: { _ in true }))
    try output.commit { _ in "" }
    #expect(output.replaced == .kept)
    #expect(try folder.contents("index/video-1/init.mp4") == "Tne and more")
  }

  @Test func `it refuses to take the place of an input, and two names of a file are one`() throws {
    let folder = try TestFolder()
    try folder.write("text", to: "a")
    try folder.run("ln a hard && ln -s a soft")
    let inputs = InputFiles()
    inputs.add(folder.file("a"))
    for name in ["a", "hard", "soft", "./a"] {
      #expect(throws: FileError.self) { try inputs.refuse(folder.file(name)) }
      #expect(throws: Never.self) { try inputs.refuse(folder.file(name), onExists: .rename) }
    }
    #expect(throws: Never.self) { try inputs.refuse(folder.file("b")) }
  }

  private func first(of name: String, in folder: TestFolder) throws -> Substring? {
    try folder.contents(name).split(separator: "\n").first
  }

  @Test(arguments: ["", "/x", "../x", "a//b", "a/./b"])
  func `it refuses names that are none in a folder`(name: String) throws {
    let folder = try TestFolder()
    let output = try #require(
      try FolderOutput(folder.file("index.m3u8"), isOwn: { _ in true }))
    #expect(throws: FileError.self) { try output.file(name) }
  }

  @Test func `it opens what lies in the folder of a playlist alone`() throws {
    let folder = try TestFolder()
    _ = try write(folder.file("in/index.m3u8"), "text")
    _ = try write(folder.file("out.m3u8"), "text")
    let input = FolderInput(beside: folder.file("in/index.m3u8"))
    #expect(try input.open("index/video-1/init.mp4").count == 13)
    #expect(throws: FileError.self) { _ = try input.open("../out.m3u8") }
    #expect(throws: FileError.self) { _ = try input.open(folder.file("out.m3u8")) }
    let open = FolderInput(beside: folder.file("in/index.m3u8"), mayLeave: true)
    #expect(try open.open("../out.m3u8").count > 0)
  }
}
