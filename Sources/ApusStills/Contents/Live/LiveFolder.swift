// SPDX-License-Identifier: MIT

internal import ApusFiles

/// The movies in one folder by name and, like its pictures, by content identifier.
struct LiveFolder: Sendable {
  static let photoEndings = ["heic", "heif", "hif", "jpg", "jpeg"]
  static let movieEndings: Set = ["mov", "mp4", "m4v", "qt"]

  /// The path of the folder with a trailing slash; empty for the working folder.
  let prefix: String
  /// The names, keyed by lowercase stem.
  private var names: [String: [String]] = [:]
  private var photos: [String] = []
  /// The names, keyed by a hash of the identifier; the caller compares the identifiers themselves.
  private var identified: [UInt64: String]?
  private var identifiedPhotos: [UInt64: String]?

  init(_ prefix: String) throws(FileError) {
    self.prefix = prefix
    for name in try FileWalk.names(in: prefix.isEmpty ? "." : prefix) {
      if Self.isMovie(name) { names[Self.key(name), default: []].append(name) }
      if Self.isPhoto(name) { photos.append(name) }
    }
  }

  static func isMovie(_ name: String) -> Bool {
    movieEndings.contains(name.pathExtension.lowercased())
  }
  static func isPhoto(_ name: String) -> Bool {
    photoEndings.contains(name.pathExtension.lowercased())
  }

  func movies(calledLike name: Substring) -> [String] { names[Self.key(String(name))] ?? [] }

  /// - Parameter read: returns the identifier of a movie.
  mutating func movie(_ identifier: String, _ read: (String) -> String?) -> String? {
    let known = identified ?? Self.index(names.values.joined(), read)
    identified = known
    return known[hash(of: identifier)]
  }

  /// - Parameter read: returns the identifier of a picture.
  mutating func photo(_ identifier: String, _ read: (String) -> String?) -> String? {
    let known = identifiedPhotos ?? Self.index(photos, read)
    identifiedPhotos = known
    return known[hash(of: identifier)]
  }

  private static func index(_ names: some Sequence<String>, _ read: (String) -> String?)
    -> [UInt64: String]
  {
    var found: [UInt64: String] = [:]
    for name in names {
      if let identifier = read(name) { found[hash(of: identifier)] = name }
    }
    return found
  }

  private static func key(_ name: String) -> String {
    name.withoutExtension.lowercased()
  }
}
