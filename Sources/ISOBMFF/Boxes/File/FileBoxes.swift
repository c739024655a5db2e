// SPDX-License-Identifier: MIT

/// Boxes of the file as a whole.
enum FileBoxes {
  static let all: [any Box.Type] = [
    FileType.self,
    FreeSpace.self,
    ProgressiveDownload.self,
    UserExtension.self,
  ]
}
