// SPDX-License-Identifier: MIT

import ApusBytes
import Glibc
import TestSupport
import Testing

@testable import ApusFiles

struct FilePatchTests {
  /// A file of 300,000 bytes whose changes lie in one page, in two close ones, or far from each other.
  private static let text = String(repeating: "0123456789", count: 30_000)
  private static let changes: [[(offset: Int, bytes: [UInt8])]] = [
    [(5, Array("abc".utf8))],
    [(4090, Array("across the pages".utf8))],
    [(299_990, Array("the end...".utf8)), (0, Array("begin".utf8)), (150_000, [0x7a])],
  ]

  private static func changed(_ changes: [(offset: Int, bytes: [UInt8])]) -> String {
    var bytes = Array(text.utf8)
    for change in changes {
      bytes.replaceSubrange(change.offset..<change.offset + change.bytes.count, with: change.bytes)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: changes.indices)
  func `it changes the bytes and leaves no log`(_ row: Int) throws {
    let folder = try TestFolder()
    try folder.write(Self.text, to: "f")
    try FilePatch.apply(Self.changes[row], to: FileSource(folder.file("f")))
    #expect(try folder.contents("f") == Self.changed(Self.changes[row]))
    #expect(try folder.listing() == ["f"])
    #expect(try !FilePatch.finish(folder.file("f")))
  }

  /// As a process leaves it that was killed after so many bytes of the change.
  @Test(arguments: [0, 1, 3, 6, 16])
  func `it finishes a change that was interrupted`(_ written: Int) throws {
    let folder = try TestFolder()
    try folder.write(Self.text, to: "f")
    let changes = Self.changes[2]
    let log = try PatchLog(changes, of: FileSource(folder.file("f")))
    #expect(!log.isAtomic && log.pieces.count == 3)
    try Self.leave(log.bytes(), in: folder)
    let partly = log.pieces.flatMap { piece in
      zip(piece.range, piece.new).map { (offset: $0, bytes: [$1]) }
    }
    try folder.write(Self.changed(Array(partly.prefix(written))), to: "f")

    #expect(try FilePatch.finish(folder.file("f")))
    #expect(try folder.contents("f") == Self.changed(changes))
    #expect(try folder.listing() == ["f"])
  }

  private static let logName = ".f.apus-patch"

  /// Leaves a log as a process does that was killed.
  private static func leave(_ log: [UInt8], in folder: TestFolder) throws {
    try FileOutput(folder.file(logName))?.commit(log)
    try #require(unsafe chmod(folder.file(logName), 0o600) == 0)
  }

  /// Ways in which another user may have made a log.
  private static let plants: [@Sendable (String) -> Int32] = [
    { path in unsafe chmod(path, 0o620) },
    { path in unsafe chmod(path, 0o602) },
    { path in unsafe link(path, path + "-2") },
    { path in unsafe rename(path, path + "-2") == 0 ? symlink(path + "-2", path) : -1 },
    { path in unsafe unlink(path) == 0 ? mkfifo(path, 0o600) : -1 },
    { path in unsafe unlink(path) == 0 ? mkdir(path, 0o700) : -1 },
    // Only the superuser can give a file away.
    { path in unsafe geteuid() == 0 ? chown(path, 65_533, 65_533) : chmod(path, 0o602) },
  ]

  @Test(arguments: plants.indices)
  func `it does not act on a log that another user can have written`(_ row: Int) throws {
    let folder = try TestFolder()
    try folder.write(Self.text, to: "f")
    let log = try PatchLog(Self.changes[2], of: FileSource(folder.file("f"))).bytes()
    try Self.leave(log, in: folder)
    try #require(Self.plants[row](folder.file(Self.logName)) == 0)

    #expect(throws: FileError.self) { try FilePatch.finish(folder.file("f")) }
    #expect(try folder.contents("f") == Self.text)
    #expect(FileIdentity.exists(folder.file(Self.logName)))
  }

  @Test func `it leaves a file alone that the log is not about`() throws {
    let folder = try TestFolder()
    try folder.write(Self.text, to: "f")
    let log = try PatchLog(Self.changes[2], of: FileSource(folder.file("f"))).bytes()
    // Of another size, with other bytes where the change is, and with a log that is cut short.
    for (text, log) in [
      (Self.text + "x", log), ("x" + Self.text.dropFirst(), log), (Self.text, log.dropLast()),
    ] {
      try folder.write(text, to: "f")
      try Self.leave(Array(log), in: folder)
      #expect(try !FilePatch.finish(folder.file("f")))
      #expect(try folder.contents("f") == text)
      #expect(try folder.listing() == ["f"])
    }
  }

  @Test func `it refuses a file that another process is changing`() throws {
    let folder = try TestFolder()
    try folder.write(Self.text, to: "f")
    let source = try FileSource(folder.file("f"))
    let other = try FileSource(folder.file("f"))
    #expect(other.claim())
    #expect(throws: FileError.self) { try FilePatch.apply(Self.changes[0], to: source) }
    #expect(try folder.contents("f") == Self.text)
  }
}

extension FileOutput {
  fileprivate func commit(_ bytes: [UInt8]) throws {
    try writer.write(bytes.span)
    try commit()
  }
}
