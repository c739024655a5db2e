// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import Glibc
import Testing

@testable import ApusStills

struct JournalTests {
  private let folder: String

  init() throws {
    var template = Array("/tmp/apus-test-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw FileError("make", "/tmp") }
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private func write(_ text: String, to name: String) throws {
    let output = try FileOutput("\(folder)/\(name)", onExists: .replace)
    try output?.writer.write(text)
    try output?.commit()
  }

  private func contents(_ name: String) throws -> String {
    let source = try FileSource("\(folder)/\(name)")
    return String(decoding: try source.bytes(in: 0..<source.count), as: UTF8.self)
  }

  private var path: String { "\(folder)/journal" }

  @Test func `it holds what was finished and not what failed`() throws {
    try write("x", to: "photo")
    let file = try #require(FileIdentity("\(folder)/photo"))
    let odd = "a\tb\nc\\d\r"
    do {
      let journal = try Journal(path, purpose: "jpeg")
      try journal.append(PhotoReport.Status.converted, odd, file)
      try journal.append(PhotoReport.Status.skipped, "skipped", file)
      try journal.append(PhotoReport.Status.salvaged, "salvaged", file)
      try journal.append(PhotoReport.Status.failed, "failed", file)
      try journal.append(PhotoReport.Status.converted, "later", file)
      try journal.append(PhotoReport.Status.failed, "later", file)
      try journal.append(PhotoReport.Status.failed, "gone", nil)
    }
    let journal = try Journal(path, purpose: "jpeg")
    #expect(journal.finished == 3)
    for name in [odd, "skipped", "salvaged"] { #expect(journal.holds(name, file)) }
    for name in ["failed", "later", "gone", "a"] { #expect(!journal.holds(name, file)) }
    try write("xy", to: "photo")
    let changed = try #require(FileIdentity("\(folder)/photo"))
    #expect(!journal.holds(odd, changed))
  }

  /// Ways in which another user may have made a journal.
  private static let plants: [@Sendable (String) -> Int32] = [
    { path in unsafe link(path, path + "-2") },
    { path in unsafe unlink(path) == 0 ? mkfifo(path, 0o600) : -1 },
    // Only the superuser can give a file away, and a link.
    { path in unsafe geteuid() == 0 ? chown(path, 65_533, 65_533) : link(path, path + "-2") },
    { path in
      guard geteuid() == 0 else { return unsafe link(path, path + "-2") }
      guard unsafe rename(path, path + "-2") == 0, unsafe symlink(path + "-2", path) == 0 else {
        return -1
      }
      return unsafe lchown(path, 65_533, 65_533)
    },
  ]

  @Test(arguments: plants.indices)
  func `it is not one that another user can have made`(_ row: Int) throws {
    try write("apus-journal 1\tjpeg\n", to: "journal")
    try #require(Self.plants[row](path) == 0)
    #expect {
      try Journal(path, purpose: "jpeg")
    } throws: {
      "\($0)".hasSuffix("it is not a plain file of this user")
    }
  }

  @Test func `it may lie behind a link of one's own, and be open to others`() throws {
    try write("apus-journal 1\tjpeg\n", to: "real")
    #expect(unsafe chmod("\(folder)/real", 0o666) == 0)
    #expect(unsafe symlink("real", path) == 0)
    #expect(try Journal(path, purpose: "jpeg").finished == 0)
  }

  @Test func `it writes a line for each photo`() throws {
    try write("xyz", to: "photo")
    #expect(
      unsafe utimes(
        "\(folder)/photo", [timeval(tv_sec: 1, tv_usec: 2), timeval(tv_sec: 3, tv_usec: 4)]) == 0)
    let file = try #require(FileIdentity("\(folder)/photo"))
    try Journal(path, purpose: "jpeg to a\tb").append(PhotoReport.Status.converted, "p\nq", file)
    #expect(
      try contents("journal")
        == "apus-journal 1\tjpeg to a\\tb\nconverted\t3\t3000004000\tp\\nq\n")
  }

  @Test func `it knows what a run before began and did not finish`() throws {
    try write("x", to: "photo")
    let file = try #require(FileIdentity("\(folder)/photo"))
    do {
      let journal = try Journal(path, purpose: "jpeg")
      for name in ["done", "failed", "cut"] { try journal.begin(name, file) }
      try journal.append(PhotoReport.Status.converted, "done", file)
      try journal.append(PhotoReport.Status.failed, "failed", file)
      #expect(!journal.isUnfinished("cut", file))
    }
    let journal = try Journal(path, purpose: "jpeg")
    #expect(journal.isUnfinished("cut", file) && !journal.holds("cut", file))
    for name in ["done", "failed", "other"] { #expect(!journal.isUnfinished(name, file)) }
    for name in ["done", "failed", "cut"] { #expect(!journal.isOutdated(name, file)) }
    try write("xy", to: "photo")
    let changed = try #require(FileIdentity("\(folder)/photo"))
    #expect(!journal.isUnfinished("cut", changed))
    for name in ["done", "cut"] { #expect(journal.isOutdated(name, changed)) }
    for name in ["failed", "other"] { #expect(!journal.isOutdated(name, changed)) }
    try journal.append(PhotoReport.Status.converted, "cut", changed)
    #expect(journal.holds("cut", changed) && !journal.isOutdated("cut", changed))
  }

  @Test func `it keeps the bytes of names that are no UTF-8`() throws {
    try write("x", to: "photo")
    let file = try #require(FileIdentity("\(folder)/photo"))
    let name = FileName.text(of: [0x63, 0x61, 0x66, 0xE9])
    do { try Journal(path, purpose: "p").append(PhotoReport.Status.converted, name, file) }
    let source = try FileSource(path)
    #expect(
      try source.bytes(in: 0..<source.count).suffix(5).elementsEqual([0x63, 0x61, 0x66, 0xE9, 0x0A])
    )
    let journal = try Journal(path, purpose: "p")
    #expect(journal.holds(name, file))
    // A name in UTF-8 whose scalar stands for that byte is another one.
    #expect(!journal.holds(FileName.text(of: "caf\u{10FFE9}".utf8), file))
  }

  /// A run that was killed while it wrote, at each byte.
  @Test func `it survives a torn line`() throws {
    try write("x", to: "photo")
    let file = try #require(FileIdentity("\(folder)/photo"))
    let first = try Journal(path, purpose: "p")
    try first.append(PhotoReport.Status.converted, "one", file)
    try first.append(PhotoReport.Status.converted, "two", file)
    let whole = try contents("journal")
    for size in 0..<whole.utf8.count {
      try write(String(decoding: Array(whole.utf8).prefix(size), as: UTF8.self), to: "torn")
      let lines = whole.utf8.prefix(size).count { $0 == 0x0a }
      do {
        let journal = try Journal("\(folder)/torn", purpose: "p")
        #expect(journal.finished == max(lines - 1, 0))
        try journal.append(PhotoReport.Status.converted, "three", file)
      }
      let again = try Journal("\(folder)/torn", purpose: "p")
      #expect(again.holds("three", file))
      #expect(again.holds("one", file) == (lines > 1))
      #expect(again.finished == max(lines - 1, 0) + 1)
    }
  }

  @Test func `it keeps others out`() throws {
    let journal = try Journal(path, purpose: "p")
    #expect(throws: FileError("use", path, reason: "another run is using this journal")) {
      _ = try Journal(path, purpose: "p")
    }
    #expect(journal.finished == 0)
  }

  /// A process that a killed run was starting holds the lock until it is another program.
  @Test func `it waits for a lock that is let go`() throws {
    do { _ = try Journal(path, purpose: "p") }
    let held = FileSystem.open(path, O_RDWR)
    #expect(flock(held, LOCK_EX) == 0)
    var pauses = 0
    let journal = try Journal(path, purpose: "p") {
      pauses += 1
      if pauses == 1 { close(held) }
    }
    #expect(pauses == 1)
    #expect(journal.finished == 0)
  }

  @Test(arguments: ["something else\n", "something else", "apus-journal 2\tp\n"])
  func `it refuses what is no journal`(_ text: String) throws {
    try write(text, to: "journal")
    #expect(throws: FileError("use", path, reason: "it is not a journal")) {
      _ = try Journal(path, purpose: "p")
    }
    #expect(try contents("journal") == text)
  }

  @Test func `it refuses a journal of other outputs`() throws {
    do { _ = try Journal(path, purpose: "jpeg to out") }
    #expect(
      throws: FileError(
        "use", path,
        reason: "it belongs to a run that wrote jpeg to out, but this one writes png to out")
    ) {
      _ = try Journal(path, purpose: "png to out")
    }
  }
}
