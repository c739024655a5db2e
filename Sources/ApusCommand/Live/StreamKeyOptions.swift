// SPDX-License-Identifier: MIT

import ApusFiles
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

  /// Returns the key in the file, or `nil` if no file is given.
  func fromFile() throws -> StreamKey? {
    guard let file else { return nil }
    let key = try InputName(path: file).line(
      "a stream key", " of at most 4096 bytes without spaces"
    ) { $0.utf8.count <= 4096 && !$0.contains(where: \.isWhitespace) }
    return StreamKey(key)
  }

  /// Returns the key in the file or the environment.
  func key() throws -> StreamKey {
    if let given = try fromFile() { return given }
    guard let key = Terminal.environment(Self.variable), !key.isEmpty else {
      throw UsageError("the stream key is missing: use --key-file or \(Self.variable)")
    }
    return StreamKey(key)
  }

  /// Returns the address to listen at, with its key, if there is one.
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

  /// Returns the addresses with their keys. A key in a file overrides one in the URL, which overrides the environment.
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
            "\(address) has no stream key; put it after the app, or use --key-file or "
              + Self.variable)
        }
        return address
      } catch {
        throw UsageError(error.detail)
      }
    }
  }
}
