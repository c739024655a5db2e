// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import TestSupport
import Testing

@testable import ApusCommand

struct InputsTests {
  private func folder() throws -> TestFolder {
    let folder = try TestFolder()
    for name in ["b", "a/z", "a/B", "a/c/d", ".hidden", ".git/x", "a.heic"] {
      try folder.write(name, to: name)
    }
    _ = try bash(
      "cd \(folder.path); ln -s .. a/c/up; ln -s a link; ln -s nowhere gone; ln -s self self; mkfifo pipe"
    )
    return folder
  }

  @Test func `it walks folders in order and once`() throws {
    let folder = try folder()
    var walk = FileWalk(folder.path)
    var names: [String] = []
    while let path = try walk.next() { names.append(String(path.dropFirst(folder.path.count + 1))) }
    #expect(names == ["a/B", "a/c/d", "a/z", "a.heic", "b"])
  }

  @Test func `it goes on after a folder that is gone`() throws {
    var walk = FileWalk("/nowhere/at/all")
    #expect(throws: FileError.self) { try walk.next() }
    #expect(try walk.next() == nil)
  }

  private func names(_ options: InputOptions) throws -> (names: [String], failures: Int) {
    let console = Console()
    var names: [String] = []
    try options.opened(console).each { names.append($0.name + "=" + $0.relativeName) }
    return (names, console.failures)
  }

  @Test func `it opens operands folders and lists`() throws {
    let folder = try folder()
    try folder.write("\(folder.file("b"))\n\n\(folder.file("a.heic"))", to: "lines")
    try folder.write("\(folder.file("b"))\0\(folder.file("a"))", to: "zeros")
    var options = InputOptions()
    options.operands = [folder.file("a/z")]
    options.lists = [folder.file("lines")]
    var result = try names(options)
    #expect(result.failures == 0)
    #expect(result.names == ["a/z=z", "b=b", "a.heic=a.heic"].map { "\(folder.path)/\($0)" })

    options = InputOptions()
    options.lists = [folder.file("zeros")]
    result = try names(options)
    #expect(result.names.count == 1)
    #expect(result.failures == 1, "a folder without -r")
    options.recursive = true
    result = try names(options)
    #expect(result.failures == 0)
    #expect(result.names == ["b=b", "a/B=B", "a/c/d=c/d", "a/z=z"].map { "\(folder.path)/\($0)" })
  }

  @Test func `it goes on after what cannot be opened`() throws {
    let folder = try folder()
    var options = InputOptions()
    options.operands = ["/nowhere", folder.file("gone"), folder.file("b")]
    let result = try names(options)
    #expect(result.failures == 2)
    #expect(result.names.count == 1)
  }

  @Test func `it reads standard input once`() {
    var options = InputOptions()
    #expect(throws: UsageError("no FILE given")) { try options.opened(Console()) }
    options.operands = ["-"]
    options.lists = ["-"]
    #expect(throws: UsageError("standard input (-) can be read only once")) {
      try options.opened(Console())
    }
  }

  @Test func `it writes beside or into`() throws {
    let folder = try folder()
    let input = Input(InputName(path: "in/a/b.heic", folder: "in/"), MemorySource([]))
    var options = OutputOptions()
    #expect(throws: UsageError.self) { try options.target(for: input, several: false) }
    options.path = "x.heic"
    #expect(try options.target(for: input, several: false) == "x.heic")
    #expect(throws: UsageError.self) { try options.target(for: input, several: true) }
    options.path = "new/"
    #expect(try options.target(for: input, several: true) == "new/a/b.heic")
    options.path = folder.path
    #expect(try options.target(for: input, several: false) == folder.file("a/b.heic"))
    #expect(throws: UsageError.self) {
      try options.target(for: Input(InputName(path: "-"), MemorySource([])), several: false)
    }
  }
}
