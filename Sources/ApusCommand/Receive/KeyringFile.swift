// SPDX-License-Identifier: MIT

import ApusFiles
import ApusLive
import RTMP

/// A file of streams, one per line: its name, `publish=KEY`, and `play=KEY` or `play=*`; `#` starts a comment.
struct KeyringFile {
  let path: String

  func entries() throws -> [StreamKeyring.Entry] {
    var entries: [StreamKeyring.Entry] = []
    for (number, line) in try InputName(path: path).lines("a file of keys") {
      let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
      guard let name = words.first else { continue }
      guard let entry = Self.entry(name, words.dropFirst()) else {
        throw FileError(
          "use", path,
          reason: "line \(number) is not NAME publish=KEY, optionally with play=KEY or play=*")
      }
      entries.append(entry)
    }
    try check(entries)
    return entries
  }

  private static func entry(_ name: String, _ words: ArraySlice<String>) -> StreamKeyring.Entry? {
    var (publish, play) = (String?.none, String?.none)
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { return nil }
      switch parts[0] {
      case "publish" where publish == nil: publish = parts[1]
      case "play" where play == nil: play = parts[1]
      default: return nil
      }
    }
    let isPlain = name.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20)
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
    guard isPlain, name.first != "-", let publish else { return nil }
    return StreamKeyring.Entry(
      name: name, publish: StreamKey(publish),
      play: play.map { $0 == "*" ? .anyone : .key(StreamKey($0)) } ?? .nobody)
  }

  private func check(_ entries: [StreamKeyring.Entry]) throws(FileError) {
    guard !entries.isEmpty else { throw FileError("use", path, reason: "it has no streams") }
    guard Set(entries.map(\.name)).count == entries.count else {
      throw FileError("use", path, reason: "two streams have the same name")
    }
    guard Set(entries.map(\.publish)).count == entries.count else {
      throw FileError("use", path, reason: "two streams have the same publish key")
    }
    let players = entries.compactMap { entry -> StreamKey? in
      switch entry.play {
      case .nobody: nil
      case .anyone: StreamKey(entry.name)
      case .key(let key): key
      }
    }
    guard Set(players).count == players.count else {
      throw FileError("use", path, reason: "two streams have the same play key")
    }
    guard Set(players).isDisjoint(with: entries.map(\.publish)) else {
      throw FileError(
        "use", path, reason: "a play key is also a publish key, so that players could publish")
    }
  }
}
