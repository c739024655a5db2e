// SPDX-License-Identifier: MIT

internal import Files

/// The movies of one folder, by name and by content identifier.
struct LiveFolder: Sendable {
  static let photoEndings = ["heic", "heif", "hif", "jpg", "jpeg"]
  static let movieEndings: Set = ["mov", "mp4", "m4v", "qt"]

  /// The path of the folder with its slash; empty for the working folder.
  let prefix: String
  /// The names by their stems in small letters.
  private var names: [String: [String]] = [:]
  /// The names by a hash of the identifier; the caller compares the identifiers themselves.
  private var identified: [UInt64: String]?

  init(_ prefix: String) throws(FileError) {
    self.prefix = prefix
    for name in try FileWalk.names(in: prefix.isEmpty ? "." : prefix) where Self.isMovie(name) {
      names[Self.stem(name[...]), default: []].append(name)
    }
  }

  static func isMovie(_ name: String) -> Bool {
    guard let dot = name.lastIndex(of: ".") else { return false }
    return movieEndings.contains(name[dot...].dropFirst().lowercased())
  }

  func movies(calledLike name: Substring) -> [String] { names[Self.stem(name)] ?? [] }

  /// - Parameter read: says the identifier of a movie.
  mutating func movie(_ identifier: String, _ read: (String) -> String?) -> String? {
    if identified == nil {
      var found: [UInt64: String] = [:]
      for name in names.values.joined() {
        if let identifier = read(name) { found[hash(of: identifier)] = name }
      }
      identified = found
    }
    return identified?[hash(of: identifier)]
  }

  private static func stem(_ name: Substring) -> String {
    (name.lastIndex(of: ".").map { name[..<$0] } ?? name).lowercased()
  }
}
