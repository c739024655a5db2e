// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia
public import ApusSamples

/// Opens playlists of HTTP Live Streaming, with the files that they name.
public struct PlaylistOpener: MediaOpener {
  private let files: HLSSource.Opener
  private let mayLeaveFolder: Bool
  private let following: HLSFollowing?

  /// - Parameters:
  ///   - mayLeaveFolder: whether playlists may name files outside their folder.
  ///   - following: the means to follow live playlists in the web; `nil` refuses them.
  ///   - files: opens a file that a playlist names, by the path from the playlist's folder.
  public init(
    mayLeaveFolder: Bool = false, following: HLSFollowing? = nil, files: @escaping HLSSource.Opener
  ) {
    self.files = files
    self.following = following
    self.mayLeaveFolder = mayLeaveFolder
  }

  /// Opens a playlist, with everything that it names; returns `nil` for an input of another kind.
  public func open(_ source: any ByteSource, of kind: FileKind, options: OpeningOptions)
    throws -> OpenedMedia?
  {
    guard kind == .m3u8 else { return nil }
    var segments = OpeningOptions()
    segments.limits = options.limits
    segments.openers = options.openers
    let presentation = try HLSSource(
      source, options: segments, mayLeave: mayLeaveFolder, following: following, opener: files)
    var opened = OpenedMedia(presentation, warnings: presentation.warnings)
    opened.isGrowing = presentation.isLive
    return opened
  }
}
