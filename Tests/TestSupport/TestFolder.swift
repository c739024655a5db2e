// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFiles
internal import Glibc

/// A folder for programs that a test asks, gone with the test.
public final class TestFolder {
  public let path: String

  public init() throws {
    var template = Array("/tmp/apus-test-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw ProgramError("mkdtemp", 1) }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { _ = unsafe system("rm -rf \(path)") }

  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The names of everything in it, hidden files too, in order.
  public func listing() throws -> [String] {
    try printed("find . -mindepth 1 -printf '%P\\n' | LC_ALL=C sort")
      .split(separator: "\n").map(String.init)
  }

  /// The text of a file.
  public func contents(_ name: String) throws -> String {
    String(decoding: try read(name), as: UTF8.self)
  }

  /// Writes a file, in folders that are made for it.
  public func write(_ text: String, to name: String) throws {
    if name.contains("/") { try OutputFolder.make(for: file(name)) }
    try write(Array(text.utf8), to: name)
  }

  public func write(_ bytes: [UInt8], to name: String) throws {
    guard let file = unsafe fopen(file(name), "w") else { throw ProgramError("write", 1) }
    let count = unsafe fwrite(bytes, 1, bytes.count, file)
    guard unsafe fclose(file) == 0, count == bytes.count else { throw ProgramError("write", 1) }
  }

  public func read(_ name: String) throws -> [UInt8] {
    let source = try FileSource("\(path)/\(name)")
    return try source.bytes(in: 0..<source.count)
  }

  /// What commands of a shell print in the folder.
  public func printed(_ script: String) throws -> String {
    guard let stream = unsafe popen("cd \(path) && \(script)", "r") else {
      throw ProgramError(script, 1)
    }
    var bytes: [UInt8] = []
    while case let byte = unsafe getc(stream), byte != EOF { bytes.append(UInt8(byte)) }
    let status = unsafe pclose(stream)
    guard status == 0 else { throw ProgramError(script, status) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Runs commands of a shell in the folder; one that fails is an error.
  public func run(_ script: String) throws {
    let status = unsafe system("cd \(path) && set -e && \(script)")
    guard status == 0 else { throw ProgramError(script, status) }
  }
}

/// A program failed, or is not there.
public struct ProgramError: Error, CustomStringConvertible {
  public let description: String

  init(_ script: String, _ status: Int32) { description = "\(script): status \(status)" }
}

/// Whether a program is there; in CI, where all are installed, one that is missing fails its test.
public func isInstalled(_ program: String) -> Bool {
  unsafe getenv("CI") != nil || system("command -v \(program) >/dev/null") == 0
}
