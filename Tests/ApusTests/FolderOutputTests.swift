// SPDX-License-Identifier: MIT

import Bytes
import Files
import Testing

struct FolderOutputTests {
  private func write(_ path: String, _ text: String, onExists: OnExists = .skip) throws -> String? {
    guard let output = try FolderOutput(path, onExists: onExists) else { return nil }
    let file = try output.file("video-1/init.mp4")
    try file.writer.write("\(text) and more")
    try file.replace(at: 0, with: Array("T".utf8))
    try output.file("list").writer.flush()
    try file.writer.flush()
    return try output.commit("\(output.folderName)/video-1/init.mp4")
  }

  @Test func `it appears with its folder`() throws {
    let folder = try TemporaryFolder()
    #expect(try write(folder.file("new/index.m3u8"), "text") == folder.file("new/index.m3u8"))
    #expect(try folder.contents("new/index.m3u8") == "index/video-1/init.mp4")
    #expect(try folder.contents("new/index/video-1/init.mp4") == "Text and more")
    #expect(
      try folder.listing() == [
        "new", "new/index", "new/index.m3u8", "new/index/list", "new/index/video-1",
        "new/index/video-1/init.mp4",
      ])
  }

  @Test func `it leaves nothing unless it was committed`() throws {
    let folder = try TemporaryFolder()
    do {
      let output = try FolderOutput(folder.file("index.m3u8"))
      try output?.file("a/b/c").writer.write("x")
    }
    #expect(try folder.listing().isEmpty)
  }

  @Test func `it takes a name that no folder has`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a b.m3u8")
    #expect(try write(path, "one") == path)
    #expect(try write(path, "two") == nil)
    #expect(try write(path, "two", onExists: .replace) == path)
    #expect(try folder.contents("a b.m3u8") == "a-b-1/video-1/init.mp4")
    #expect(try write(path, "two", onExists: .rename) == folder.file("a b-1.m3u8"))
  }

  @Test func `it takes away what the replaced file named, in its own folder alone`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("index.m3u8")
    _ = try write(path, "one")
    _ = try write(folder.file("other/index.m3u8"), "other")
    let output = try #require(try FolderOutput(path, onExists: .replace))
    let names = [
      "index/list", "index/video-1/init.mp4", "index/../other/index.m3u8", "other/index/list",
      "index.m3u8", "index/gone", "\(output.folderName)/list", "index/video-1", "",
    ]
    try output.file("list").writer.flush()
    try output.commit("new", replacing: names)
    #expect(
      try folder.listing().filter { !$0.hasPrefix("other") } == [
        "index-1", "index-1/list", "index.m3u8",
      ])
    #expect(try folder.listing().filter { $0.hasPrefix("other") }.count == 6)
  }

  @Test(arguments: ["", "/x", "../x", "a//b", "a/./b"])
  func `it refuses names that are none in a folder`(name: String) throws {
    let folder = try TemporaryFolder()
    let output = try #require(try FolderOutput(folder.file("index.m3u8")))
    #expect(throws: FileError.self) { try output.file(name) }
  }

  @Test func `it opens what lies in the folder of a playlist alone`() throws {
    let folder = try TemporaryFolder()
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
