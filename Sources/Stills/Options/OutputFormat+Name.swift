// SPDX-License-Identifier: MIT

extension OutputFormat {
  /// The extension of its files.
  public var pathExtension: String { self == .jpeg ? "jpg" : rawValue }

  /// The format whose files are called like this one.
  public init?(extensionOf path: String) {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    switch name[dot...].dropFirst().lowercased() {
    case "jpg", "jpeg", "jpe": self = .jpeg
    case "heif", "hif", "heics": self = .heic
    case let other: self.init(rawValue: other)
    }
  }
}
