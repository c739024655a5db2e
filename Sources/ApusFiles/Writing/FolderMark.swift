// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The last line of a file next to a folder, which identifies its folder.
struct FolderMark {
  var folder: String
  /// The mark of the folder's manifest.
  var mark: String

  private static let beginning = "# apus folder "
  var line: String { "\(Self.beginning)\(folder) \(mark)\n" }

  init(folder: String, mark: String) {
    self.folder = folder
    self.mark = mark
  }

  /// Reads the mark of a file; `nil` if it has no such line.
  init?(in path: String) {
    guard let file = try? FileSource(path), file.count < 1 << 24,
      let bytes = try? file.bytes(in: 0..<file.count)
    else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard let last = lines.last, last.hasPrefix(Self.beginning) else { return nil }
    let words = last.dropFirst(Self.beginning.count).split(separator: " ")
    guard words.count == 2, !words[0].contains("/") else { return nil }
    (folder, mark) = (String(words[0]), String(words[1]))
  }
}
