// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import Glibc

@testable import ApusCommand

/// A folder of its own for one test, gone with it.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/apus-test-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw FileError("make", "/tmp") }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { _ = unsafe system("rm -rf \(path.shellQuoted)") }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Everything in it, hidden files too.
  func listing() throws -> [String] {
    try bash("cd \(path.shellQuoted) && find . -mindepth 1 -printf '%P\\n' | sort").output
      .split(separator: "\n").map(String.init)
  }

  func contents(_ name: String) throws -> String {
    let source = try FileSource(file(name))
    return String(decoding: try source.bytes(in: 0..<source.count), as: UTF8.self)
  }

  func write(_ text: String, to name: String) throws {
    try OutputFolder.make(for: file(name))
    let output = try FileOutput(file(name), onExists: .replace)
    try output?.writer.write(text)
    try output?.commit()
  }
}
