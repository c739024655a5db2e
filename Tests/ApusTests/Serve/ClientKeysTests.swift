// SPDX-License-Identifier: MIT

import ApusFiles
import TestSupport
import Testing

@testable import ApusCommand
@testable import ApusHTTP

@Suite struct ClientKeysTests {
  @Test func `without a file everybody is admitted`() throws {
    let keys = try ClientKeys(nil)
    #expect(!keys.areNeeded)
    #expect(keys.admit(HTTPHead(target: "/v1/convert")))
    try keys.read()
  }

  /// The target of a request and its fields, and whether it has a key.
  static let requests: [(String, [(String, String)], Bool)] = [
    ("/", [], false),
    ("/", [("Authorization", "Bearer first")], true),
    ("/", [("authorization", "BEARER second")], true),
    // RFC 9110, 11.4: one space or more.
    ("/", [("Authorization", "Bearer   first")], true),
    ("/", [("Authorization", "Bearer firs")], false),
    ("/", [("Authorization", "Bearer first ")], false),
    ("/", [("Authorization", "Bearer First")], false),
    ("/?key=\u{1}\u{1}\u{1}\u{1}\u{7f}", [], false),
    ("/", [("Authorization", "Bearer ")], false),
    ("/", [("Authorization", "Bearer")], false),
    ("/", [("Authorization", "Basic first")], false),
    ("/", [("Authorization", "first")], false),
    ("/", [("API-Key", "second")], true),
    ("/", [("api-key", "second")], true),
    ("/", [("API-Key", "secon")], false),
    ("/", [("API-Key", "")], false),
    ("/", [("API-Key", "# who may ask")], false),
    ("/?key=first", [], true),
    ("/?a=b&key=clé", [], true),
    ("/?key=third", [], false),
    ("/?key", [], false),
    ("/?Key=first", [], false),
    // One right key is enough.
    ("/?key=third", [("API-Key", "second"), ("Authorization", "Bearer x")], true),
    ("/?key=first", [("API-Key", "x")], true),
  ]

  @Test(arguments: requests)
  func `it admits who has one of the keys`(
    _ target: String, _ fields: [(String, String)], _ isAdmitted: Bool
  ) throws {
    let folder = try TestFolder()
    try folder.write("# who may ask\n\n  first\t\nsecond\r\nclé\n", to: "keys")
    let keys = try ClientKeys(folder.file("keys"))
    #expect(keys.areNeeded)
    #expect(keys.admit(HTTPHead(target: target, fields)) == isAdmitted)
  }

  @Test func `it reads its file again, and keeps the keys if that fails`() throws {
    let folder = try TestFolder()
    try folder.write("first\n", to: "keys")
    let keys = try ClientKeys(folder.file("keys"))
    try folder.write("second\n", to: "keys")
    let (first, second) = (HTTPHead(target: "/?key=first"), HTTPHead(target: "/?key=second"))
    #expect(keys.admit(first))
    try keys.read()
    #expect(!keys.admit(first))
    #expect(keys.admit(second))
    for text in ["", "# no key\n", "two words\n", "second\na\tb\n"] {
      try folder.write(text, to: "keys")
      #expect(throws: FileError.self, "\(text)") { try keys.read() }
      #expect(throws: FileError.self, "\(text)") { try ClientKeys(folder.file("keys")) }
    }
    try folder.run("rm keys")
    #expect(throws: FileError.self) { try keys.read() }
    #expect(keys.admit(second))
  }
}
