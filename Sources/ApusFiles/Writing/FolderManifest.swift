// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import Glibc

/// The contents of a folder of a `FolderOutput`, in a hidden file in that folder: sufficient to determine, at any later
/// time, which of its files are still those that were written.
///
/// A file is identified by its name, size, time and inode number. These cannot all be copied or downloaded: if anything
/// differs, the file belongs to someone else.
struct FolderManifest {
  enum State: String {
    /// The folder is being written, or the process that wrote it was killed.
    case unfinished
    /// The file next to the folder refers to it.
    case finished
    /// Another folder has replaced it, so its files can be removed.
    case replaced
  }

  struct File {
    var name: String
    var size: Int
    var node: UInt64
    var modified: Int
  }

  static let fileName = ".apus-folder"

  var state = State.unfinished
  /// The inode number of the manifest's own file, by which a copy is recognized.
  var node: UInt64
  /// The name of the file next to the folder.
  var list: String
  var files: [File] = []

  /// The text in the list that shows that list and folder belong together.
  var mark: String {
    let names = files.map { "\($0.size) \($0.name)\n" }.joined()
    return SHA256.digest(of: Array("\(list)\n\(names)".utf8)).prefix(16)
      .hexadecimal()
  }

  private static let title = "apus folder 1\n"
  /// The offset of the state, which has a constant length so that it can be overwritten.
  static var statePlace: Int { title.utf8.count }
  static func stateLine(_ state: State) -> String {
    "state " + state.rawValue + String(repeating: " ", count: 10 - state.rawValue.utf8.count) + "\n"
  }

  var text: String {
    var text = Self.title + Self.stateLine(state) + "node \(node)\nlist \(list)\n"
    for file in files { text += file.line }
    return text
  }

  init(node: UInt64, list: String) {
    self.node = node
    self.list = list
  }

  /// Parses a manifest; `nil` if the text is not one.
  init?(_ text: String) {
    guard text.hasPrefix(Self.title), text.hasSuffix("\n") else { return nil }
    var lines = text.dropFirst(Self.title.count).dropLast()
      .split(separator: "\n", omittingEmptySubsequences: false)[...]
    guard let state = Self.value("state", lines.popFirst()).flatMap({ State(padded: $0) }),
      let node = Self.value("node", lines.popFirst()).flatMap({ UInt64($0) }),
      let list = Self.value("list", lines.popFirst())
    else { return nil }
    self.state = state
    self.node = node
    self.list = String(list)
    for line in lines {
      guard let file = File(line: line) else { return nil }
      files.append(file)
    }
  }

  private static func value(_ name: String, _ line: Substring?) -> Substring? {
    guard let line, line.hasPrefix(name + " ") else { return nil }
    return line.dropFirst(name.count + 1)
  }
}

extension FolderManifest.File {
  /// The line about the file in a manifest.
  var line: String { "\(size) \(node) \(modified) \(name)\n" }

  init?(line: Substring) {
    let words = line.split(separator: " ", maxSplits: 3)
    guard words.count == 4, let size = Int(words[0]), let node = UInt64(words[1]),
      let modified = Int(words[2])
    else { return nil }
    self.init(name: String(words[3]), size: size, node: node, modified: modified)
  }
}

extension FolderManifest.State {
  fileprivate init?(padded text: Substring) {
    self.init(rawValue: String(text.prefix { $0 != " " }))
  }
}
