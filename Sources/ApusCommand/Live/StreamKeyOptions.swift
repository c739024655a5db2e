// SPDX-License-Identifier: MIT

import Files
import Glibc
import RTMP

/// The source of the stream key.
struct StreamKeyOptions: ArgumentGroup {
  static let heading = "Stream key"
  static let variable = "APUS_STREAM_KEY"

  var file: String?

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "key-file", "FILE", &file, completion: .files,
      """
      read the stream key from FILE; - is standard input
      The URL then ends with the app
      """)
  }

  /// The key of the file, and whether there is one.
  func fromFile() throws -> StreamKey? {
    guard let file else { return nil }
    let text = try InputName(path: file).smallText("a stream key")
    guard text.utf8.count <= 4096 else {
      throw FileError("use", file, reason: "a stream key is one line, and this is longer")
    }
    let lines = text.split(whereSeparator: \.isNewline)
    guard lines.count == 1, let key = lines.first, !key.contains(where: \.isWhitespace) else {
      throw FileError("use", file, reason: "a stream key is one line without spaces")
    }
    return StreamKey(String(key))
  }

  /// The key by itself, of the file or the environment.
  func key() throws -> StreamKey {
    if let given = try fromFile() { return given }
    guard let key = Terminal.environment(Self.variable), !key.isEmpty else {
      throw UsageError("there is no stream key; give it by --key-file or \(Self.variable)")
    }
    return StreamKey(key)
  }

  /// An address of ours with the key that there is, which may be none.
  func address(_ url: String, app: String?) throws -> Address {
    let given = try fromFile()
    do throws(SessionError) {
      let address = try Address(url, app: app, key: given, isOwn: true)
      guard address.key.isEmpty, let key = Terminal.environment(Self.variable), !key.isEmpty else {
        return address
      }
      return try Address(url, app: app, key: StreamKey(key), isOwn: true)
    } catch {
      throw UsageError(error.detail)
    }
  }

  /// Addresses with their keys. One in the URL wins over the environment's, a file's over both.
  func addresses(_ urls: [String], app: String?) throws -> [Address] {
    let given = try fromFile()
    return try urls.map { url in
      do throws(SessionError) {
        var address = try Address(url, app: app, key: given)
        if address.key.isEmpty, let key = Terminal.environment(Self.variable), !key.isEmpty {
          address = try Address(url, app: app, key: StreamKey(key))
        }
        guard !address.key.isEmpty else {
          throw SessionError(
            .address,
            "\(address) names no stream key; write it after the app, or give it by --key-file or "
              + Self.variable)
        }
        return address
      } catch {
        throw UsageError(error.detail)
      }
    }
  }
}
