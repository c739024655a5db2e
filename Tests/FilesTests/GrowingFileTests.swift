// SPDX-License-Identifier: MIT

import ApusFiles
import TestSupport
import Testing

@Suite struct GrowingFileTests {
  @Test func `it has its name from the first byte on`() throws {
    let folder = try TestFolder()
    let file = try #require(try GrowingFile(folder.file("out.flv")))
    #expect(try folder.listing() == ["out.flv"])
    try file.writer.write("new")
    try file.writer.flush()
    #expect(try folder.contents("out.flv") == "new")
  }

  @Test func `it lets the file that it replaces be until it appears`() throws {
    let folder = try TestFolder()
    try folder.write("old", to: "out.flv")
    let file = try #require(try GrowingFile(folder.file("out.flv"), onExists: .replace))
    try file.writer.write("new")
    try file.writer.flush()
    #expect(try folder.contents("out.flv") == "old")
    try file.appear()
    try file.writer.write("er")
    try file.writer.flush()
    #expect(try folder.listing() == ["out.flv"])
    #expect(try folder.contents("out.flv") == "newer")
  }

  @Test func `it takes nothing but itself away`() throws {
    let folder = try TestFolder()
    try folder.write("old", to: "out.flv")
    let file = try #require(try GrowingFile(folder.file("out.flv"), onExists: .replace))
    try file.writer.write("new")
    #expect(file.remove() == nil)
    #expect(try folder.listing() == ["out.flv"])
    #expect(try folder.contents("out.flv") == "old")
  }

  @Test(arguments: OnExists.allCases)
  func `it removes what a killed process left beside it`(onExists: OnExists) throws {
    let folder = try TestFolder()
    try folder.write("left", to: ".out.flv.apus-0")
    if onExists == .replace { try folder.write("old", to: "out.flv") }
    let file = try #require(try GrowingFile(folder.file("out.flv"), onExists: onExists))
    try file.appear()
    #expect(try folder.listing() == ["out.flv"])
  }
}
