// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFiles
internal import ApusMedia
internal import ISOBMFF
internal import Synchronization

/// Finds the videos of Live Photos in the folders of their pictures.
///
/// The contents of the last two folders are cached: movies by name and, once a picture needs it, by content identifier,
/// for which every movie in the folder is opened once.
public final class LiveVideos: Sendable {
  /// The maximum duration of a video that is matched by its name alone, in seconds.
  public static let longestGuess = 10.0
  private let folders = Mutex<[LiveFolder]>([])

  /// Creates a finder whose cache is empty.
  public init() {}

  /// Returns the video of a picture; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - photo: the path of the picture.
  ///   - identifier: the identifier in its maker note.
  public func video(of photo: String, identifier: String?) throws -> LiveVideo? {
    let prefix = String(photo.folderPrefix)
    let name = photo.lastName
    var guess: LiveVideo?
    for movie in try names(of: prefix, calledLike: name) {
      guard let video = Self.video(prefix + movie, .name) else { continue }
      if let identifier, video.facts.identifier == identifier { return video.known }
      let isOpen = identifier == nil || video.facts.identifier == nil
      if isOpen, guess == nil, video.facts.duration <= Self.longestGuess { guess = video }
    }
    guard let identifier else { return guess }
    if let movie = try self.name(of: prefix, identifier),
      let video = Self.video(prefix + movie, .identifier), video.facts.identifier == identifier
    {
      return video
    }
    return guess
  }

  /// Returns the picture that a movie belongs to, by name and then by identifier; `nil` if there is none.
  public func photo(of movie: String) -> String? {
    guard LiveFolder.isMovie(movie), let video = Self.video(movie, .name) else { return nil }
    for ending in LiveFolder.photoEndings.flatMap({ [$0, $0.uppercased()] }) {
      let path = "\(movie.withoutExtension).\(ending)"
      guard FileSystem.exists(path), let contents = Self.contents(of: path) else { continue }
      let identifier = contents.liveIdentifier
      let isOpen = identifier == nil || video.facts.identifier == nil
      let isSame = !isOpen && identifier == video.facts.identifier
      if isSame || isOpen && video.facts.duration <= Self.longestGuess { return path }
    }
    return nil
  }

  /// Returns the missing half of the Live Photo that a file belongs to; `nil` for complete pairs and all other files. A
  /// half with a matching name is not missing if either of the two has no identifier.
  public func orphan(_ path: String) throws -> LiveOrphan? {
    if LiveFolder.isMovie(path) {
      guard let identifier = Self.video(path, .name)?.facts.identifier,
        photo(of: path) == nil
      else { return nil }
      let prefix = String(path.folderPrefix)
      let found = try withFolder(prefix) { folder in
        folder.photo(identifier) { Self.contents(of: prefix + $0)?.liveIdentifier }
      }
      let isThere =
        found.map { Self.contents(of: prefix + $0)?.liveIdentifier == identifier } ?? false
      return isThere ? nil : LiveOrphan(missing: .picture, identifier: identifier)
    }
    guard LiveFolder.isPhoto(path), let contents = Self.contents(of: path),
      let identifier = contents.liveIdentifier, contents.embeddedVideo() == nil,
      try video(of: path, identifier: identifier) == nil
    else { return nil }
    return LiveOrphan(missing: .video, identifier: identifier)
  }

  /// Returns the contents of a picture; `nil` if the file is not one.
  private static func contents(of path: String) -> PhotoContents? {
    // An unreadable file matches nothing, and is reported when it is converted.
    guard let source = file(path), let kind = try? FileKind(of: source),
      kind == .isoBMFF || kind == .jpeg
    else { return nil }
    return try? PhotoContents(source, kind, ConvertOptions())
  }

  private static func video(_ path: String, _ basis: LiveVideo.Basis) -> LiveVideo? {
    guard let source = file(path), let facts = try? LiveVideoFacts(of: source) else { return nil }
    return LiveVideo(
      path: path, extent: Extent(source, 0..<source.count), file: FileIdentity(path), basis: basis,
      facts: facts)
  }

  /// Opens a file, unless it is a pipe, on which reading would wait.
  private static func file(_ path: String) -> (any ByteSource)? {
    FileIdentity(path)?.isRegular == true ? try? openInput(path) : nil
  }

  // MARK: Folders

  private func names(of prefix: String, calledLike name: Substring) throws
    -> [String]
  {
    try withFolder(prefix) { $0.movies(calledLike: name) }
  }

  private func name(of prefix: String, _ identifier: String) throws -> String? {
    try withFolder(prefix) { folder in
      folder.movie(identifier) { Self.video(prefix + $0, .name)?.facts.identifier }
    }
  }

  private func withFolder<Value: Sendable>(
    _ prefix: String, _ body: (inout LiveFolder) -> Value
  ) throws -> Value {
    try folders.withLock { folders in
      if !folders.contains(where: { $0.prefix == prefix }) {
        folders.append(try LiveFolder(prefix))
        // The end of one folder and the beginning of the next are processed at the same time.
        if folders.count > 2 { folders.removeFirst() }
      }
      for index in folders.indices where folders[index].prefix == prefix {
        return body(&folders[index])
      }
      throw MediaError(.io, "the folder \(prefix) was lost")
    }
  }
}

extension LiveVideo {
  fileprivate var known: LiveVideo {
    var video = self
    video.basis = .identifier
    return video
  }
}
