// SPDX-License-Identifier: MIT

internal import ApusFiles

extension OutputFormat {
  /// The extension of the format's files.
  public var pathExtension: String { self == .jpeg ? "jpg" : rawValue }

  /// Creates the format that uses the extension of a path.
  public init?(extensionOf path: String) {
    switch path.pathExtension.lowercased() {
    case "jpg", "jpeg", "jpe": self = .jpeg
    case "heif", "hif", "heics": self = .heic
    case let other: self.init(rawValue: other)
    }
  }
}
