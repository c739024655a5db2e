// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import ApusFiles

struct GrowingManifestTests {
  private func manifest(of folder: String) throws -> GrowingManifest {
    try GrowingManifest(of: folder) { $0.hasSuffix(".m4s") }
  }

  /// Writes a file as an output does.
  private func write(
    _ name: String, _ text: String = "bytes", in folder: String, _ manifest: GrowingManifest
  )
    throws
  {
    let output = try #require(try FileOutput("\(folder)/\(name)", onExists: .replace))
    try output.writer.write(text)
    try manifest.note(name, output)
    try manifest.flush(isAwaited: false)
    try output.commit(isAwaited: false)
  }

  @Test func `a later process removes what is ours, and nothing else`() throws {
    let folder = try TestFolder()
    var manifest: GrowingManifest? = try self.manifest(of: folder.path)
    for name in ["1.m4s", "2.m4s", "3.m4s", "4.m4s", "list.m3u8"] {
      try write(name, in: folder.path, #require(manifest))
    }
    manifest?.remember("some words")
    try manifest?.flush(isAwaited: true)
    manifest = nil
    // Another file of the name, one that was changed, and one that is gone.
    try folder.run("cp -p 2.m4s copy; mv copy 2.m4s; echo more >> 3.m4s; rm 4.m4s; echo > 5.m4s")
    let later = try self.manifest(of: folder.path)
    #expect(later.names == ["1.m4s"])
    #expect(later.memo == "some words")
    for name in ["1.m4s", "2.m4s", "3.m4s", "4.m4s", "5.m4s", "list.m3u8"] {
      try later.remove(name)
      #expect(
        FileSystem.exists("\(folder.path)/\(name)") == (name != "1.m4s" && name != "4.m4s"),
        "\(name)")
    }
  }

  @Test func `files of a folder that was copied are those of somebody else`() throws {
    let folder = try TestFolder()
    try folder.run("mkdir here")
    var manifest: GrowingManifest? = try self.manifest(of: "\(folder.path)/here")
    try write("1.m4s", in: "\(folder.path)/here", #require(manifest))
    manifest = nil
    try folder.run("cp -a here copy; mv here moved")
    #expect(try self.manifest(of: "\(folder.path)/copy").names.isEmpty)
    #expect(try self.manifest(of: "\(folder.path)/moved").names == ["1.m4s"])
    #expect(GrowingManifest.folders(in: folder.path) == ["copy", "moved"])
  }

  @Test(arguments: [
    "> .apus-files", "truncate -s -3 .apus-files", "truncate -s +100 .apus-files",
    "printf '12 34' >> .apus-files", "truncate -s 5 .apus-files",
  ])
  func `it goes on where its last process was cut off`(damage: String) throws {
    let folder = try TestFolder()
    var manifest: GrowingManifest? = try self.manifest(of: folder.path)
    try write("1.m4s", in: folder.path, #require(manifest))
    try write("2.m4s", in: folder.path, #require(manifest))
    manifest = nil
    try folder.run(damage)
    manifest = try self.manifest(of: folder.path)
    let before = Set(try #require(manifest).names)
    #expect(before.isSubset(of: ["1.m4s", "2.m4s"]))
    try write("3.m4s", in: folder.path, #require(manifest))
    manifest = nil
    #expect(Set(try self.manifest(of: folder.path).names) == before.union(["3.m4s"]))
  }

  @Test func `it is held by one at a time, also while it is written anew`() throws {
    let folder = try TestFolder()
    var manifest: GrowingManifest? = try self.manifest(of: folder.path)
    for number in 0..<1100 {
      try write("\(number).m4s", in: folder.path, #require(manifest))
      if number > 0 { try manifest?.remove("\(number - 1).m4s") }
    }
    #expect(try folder.read(".apus-files").count { $0 == 0x0a } < 200)
    #expect(throws: FileError.self) { try self.manifest(of: folder.path) }
    manifest = nil
    #expect(try self.manifest(of: folder.path).names == ["1099.m4s"])
  }

  @Test(arguments: [
    "echo hello > .apus-files", "mkfifo .apus-files", "ln -s /dev/null .apus-files",
  ])
  func `a file of somebody else with its name stays`(command: String) throws {
    let folder = try TestFolder()
    try folder.run(command)
    #expect(throws: FileError.self) { try manifest(of: folder.path) }
    try folder.run("test -L .apus-files || test -p .apus-files || grep -q hello .apus-files")
  }
}
