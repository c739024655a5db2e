// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import TestSupport
import Testing

@testable import ApusCommand

@Suite struct ServerSettingsTests {
  /// Returns the words of the file and the environment.
  private static func words(
    typed: [String] = [], _ environment: [String: String] = [:]
  ) throws -> [String] {
    try ServerSettings.words(Serve.arguments, typed: typed) { environment[$0] }
  }

  @Test func `it reads variables that are named after options`() throws {
    let words = try Self.words([
      "APUS_MAX_BODY": "7", "APUS_LISTEN": "127.0.0.1:1", "APUS_QUEUE": "", "MAX_BODY": "8",
      "APUS_LIMIT": "boxes=98  megapixels=3", "APUS_COLOR": "always", "APUS_PRINT_CONFIG": "1",
    ])
    #expect(
      Set(words) == [
        "--max-body=7", "--listen=127.0.0.1:1", "--limit=boxes=98", "--limit=megapixels=3",
      ])
  }

  @Test func `the environment wins over the file, and the command line over both`() throws {
    let folder = try TestFolder()
    try folder.write(
      "# for this machine\n\nmax-body = 7\nqueue=5\ncache-control = a=1, b\nlimit = boxes=99\n",
      to: "file")
    let path = folder.file("file")
    let words = try Self.words(["APUS_QUEUE": "6", "APUS_CONFIG": path])
    #expect(
      words == [
        "--max-body=7", "--queue=5", "--cache-control=a=1, b", "--limit=boxes=99", "--queue=6",
        "--config=\(path)",
      ])
    let serve = try Serve.parsed(words + ["--max-body", "9"]).verb
    #expect((serve.maxBody, serve.queue, serve.limits.boxes.boxes) == (9, 6, 99))
    #expect(serve.cacheControl == "a=1, b")
    // The command line may name another file.
    try folder.write("queue = 3\n", to: "other")
    let other = folder.file("other")
    let typed = try Self.words(typed: ["--config", other], ["APUS_CONFIG": path])
    #expect(typed == ["--queue=3", "--config=\(path)"])
  }

  @Test(arguments: [
    ("max-bdy = 7\n", "line 1 is no setting, NAME = VALUE; did you mean max-body?"),
    ("\nqueue\n", "line 2 is no setting, NAME = VALUE"), ("quiet = true\n", "line 1 is no setting"),
    ("queue = 1\nconfig = x\n", "line 2 is no setting"), ("= 1\n", "line 1 is no setting"),
    ("print-config = 1\n", "line 1 is no setting"),
  ])
  func `it refuses a line that is no setting`(_ text: String, _ part: String) throws {
    let folder = try TestFolder()
    try folder.write(text, to: "file")
    let error = #expect(throws: FileError.self) {
      try Self.words(typed: ["--config=\(folder.file("file"))"])
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains(part))
  }

  @Test func `what it prints is a file that says the same`() throws {
    var serve = Serve()
    (serve.maxBody, serve.cacheControl) = (7, "max-age=3600, private")
    serve.limits.boxes.boxes = 5
    let arguments = ArgumentLister.arguments { lister throws(UsageError) in
      try serve.arguments(&lister)
    }
    let folder = try TestFolder()
    try folder.write(
      ServerSettings.text(arguments, limits: serve.limits.settings), to: "file")
    let lines = Set(try folder.contents("file").split(separator: "\n"))
    for line in [
      "max-body = 7", "cache-control = max-age=3600, private", "limit = boxes=5", "# key-file =",
      "log = text", "# APUS_MAX_BODY",
    ] as [Substring] { #expect(lines.contains(line), "\(line)") }
    #expect(!lines.contains { $0.hasPrefix("config") || $0.hasPrefix("print-config") })
    let again = try Serve.parsed(Self.words(typed: ["--config=\(folder.file("file"))"])).verb
    #expect((again.maxBody, again.cacheControl) == (serve.maxBody, serve.cacheControl))
    #expect(again.limits.settings == serve.limits.settings)
    #expect(again.keyFile == nil)
  }
}
