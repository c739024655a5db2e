// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusContainers
internal import ApusMedia
public import ApusSamples
internal import HLS

/// The samples of a presentation for HTTP Live Streaming: those of its best variant, with all sound and subtitles that
/// go with it.
public struct HLSSource: SampleSource, Sendable {
  /// Opens a file that playlists name, by the path from the folder of the first playlist.
  public typealias Opener = @Sendable (String) throws -> any ByteSource

  /// The tracks of the best variant, followed by the sound and subtitles that go with it.
  public let tracks: [CodedTrack]
  /// Warnings for the user, such as the choice among variants and subtitles that are left out.
  public let warnings: [String]
  /// Whether its playlists still grow, so that it can be read only once.
  public let isLive: Bool
  private var source: any SampleSource & Sendable

  /// - Parameters:
  ///   - source: the playlist.
  ///   - options: the options for opening segments.
  ///   - mayLeave: whether names may lead out of its folder.
  ///   - following: the means to follow live playlists in the web; `nil` refuses them.
  public init(
    _ source: any ByteSource, options: MediaInput.Options = MediaInput.Options(),
    mayLeave: Bool = false, following: HLSFollowing? = nil, opener: @escaping Opener
  ) throws {
    let files = OpenFiles { path in
      guard mayLeave || !PlaylistPath.leaves(path) else {
        throw MediaError(
          .unsupported, of: .part(path),
          "lies outside the folder of the playlist",
          remedy: .outside)
      }
      return try opener(path)
    }
    // In the web, names are relative to the address of the playlist.
    let base = (source as? any LocatedSource)?.location ?? ""
    let reader = Media(options: options, files: files, following: following, opener: opener)
    switch try Self.playlist(source) {
    case .media(let playlist):
      let opened = try reader.open(playlist, at: base, isWeb: source is any LocatedSource)
      self.source = opened.source
      tracks = opened.source.tracks
      warnings = opened.warnings
      isLive = opened.isLive
    case .multivariant(let playlist):
      var warnings: [String] = []
      guard let best = playlist.variants.max(by: { $0.isWorse(than: $1) }) else {
        throw MediaError(.unsupported, of: .part("playlist"), "has no variants")
      }
      if playlist.variants.count > 1 {
        let codecs = best.codecs.joined(separator: ",")
        warnings.append("of \(playlist.variants.count) variants \(best.name) (\(codecs)) is read")
      }
      var sources: [any SampleSource & Sendable] = []
      var tracks: [CodedTrack] = []
      var isLive = false
      for choice in [nil] + playlist.sounds(of: best).map(Optional.some) {
        let path = try PlaylistPath.resolved(choice?.name ?? best.name, in: base)
        let file = try files.open(path)
        guard case .media(let media) = try Self.playlist(file) else {
          throw MediaError(.invalid, of: .part(path), "names variants instead of segments")
        }
        let opened = try reader.open(media, at: path, isWeb: file is any LocatedSource)
        sources.append(opened.source)
        isLive = isLive || opened.isLive
        warnings += opened.warnings.map { "\(path): \($0)" }
        tracks += opened.source.tracks.map { $0.described(by: choice) }
      }
      for rendition in playlist.subtitles(of: best) {
        do {
          let path = try PlaylistPath.resolved(rendition.name ?? "", in: base)
          guard case .media(let media) = try Self.playlist(try files.open(path)) else {
            throw MediaError(.invalid, of: .part(path), "names variants instead of segments")
          }
          guard !isLive else {
            throw MediaError(.unsupported, of: .part(path), "cannot be followed")
          }
          let text = try WebVTTSource(media, at: path, rendition, files.open)
          sources.append(text)
          tracks += text.tracks
        } catch {
          let error = MediaError(error)
          guard error.kind != .io else { throw error }
          warnings.append("the subtitles \(rendition.title) are left out: \(error.message)")
        }
      }
      self.source = MergedSource(sources, tracks: tracks)
      self.isLive = isLive
      self.tracks = tracks
      self.warnings = warnings
    }
  }

  public mutating func next() throws -> SourceEvent? { try source.next() }

  /// The faults of the samples so far that were repaired, as text.
  public var repairs: [String] { source.repairs }

  /// The size of the largest playlist that is read, in bytes.
  private static var mostBytes: Int { 1 << 24 }

  fileprivate static func playlist(_ source: any ByteSource) throws -> Playlist {
    try Playlist(ofAtMost: mostBytes, in: source)
  }
}

/// Opens media playlists, with all segments that are listed, or as they come.
private struct Media {
  let options: MediaInput.Options
  let files: OpenFiles
  let following: HLSFollowing?
  let opener: HLSSource.Opener

  /// - Parameter isWeb: whether it comes from a server, which may still add to it.
  func open(_ playlist: MediaPlaylist, at path: String, isWeb: Bool) throws -> (
    source: any SampleSource & Sendable, warnings: [String], isLive: Bool
  ) {
    guard isWeb, !playlist.isEnded else {
      let opened = try PlaylistSource(playlist, at: path, options: options, files.open)
      return (opened.source, opened.warnings, false)
    }
    guard let following else {
      throw MediaError(.unsupported, of: .input, "is a live playlist, which is not followed")
    }
    try playlist.checkIsWhole()
    let opener = opener
    let feed = LiveFeed(
      playlist, at: path, following,
      reload: {
        guard case .media(let next) = try HLSSource.playlist(try opener(path)) else {
          throw MediaError(.invalid, of: .part(path), "names variants instead of segments")
        }
        try next.checkIsWhole()
        return next
      }, opener: opener)
    let live = try LivePlaylistSource(feed, options)
    return (live, live.warnings, true)
  }
}

extension MultivariantPlaylist {
  /// Returns the sound with separate playlists; other sound is in the variant itself.
  fileprivate func sounds(of variant: Variant) -> [Rendition] {
    var taken: Set<String> = [variant.name]
    return renditions.filter { rendition in
      rendition.kind == .audio && rendition.group == variant.audio
        && (rendition.name.map { taken.insert($0).inserted } ?? false)
    }
  }
}

extension MultivariantPlaylist {
  /// Returns the subtitles that go with a variant.
  fileprivate func subtitles(of variant: Variant) -> [Rendition] {
    renditions.filter {
      $0.kind == .subtitles && $0.group == variant.subtitles && $0.name != nil
    }
  }
}

extension MultivariantPlaylist.Variant {
  /// Returns whether it has a smaller size than `other`, no HEVC where `other` has it, or a lower bandwidth, in this
  /// order.
  fileprivate func isWorse(than other: Self) -> Bool {
    let mine = (pixels, hasHEVC ? 1 : 0, bandwidth)
    return mine < (other.pixels, other.hasHEVC ? 1 : 0, other.bandwidth)
  }

  private var pixels: Int {
    guard let size, !size.width.multipliedReportingOverflow(by: size.height).overflow else {
      return 0
    }
    return size.width * size.height
  }

  private var hasHEVC: Bool { codecs.contains { $0.hasPrefix("hvc1") || $0.hasPrefix("hev1") } }
}

extension CodedTrack {
  /// Returns the track with what the playlist says about its sound.
  fileprivate func described(by rendition: MultivariantPlaylist.Rendition?) -> CodedTrack {
    guard let rendition else { return self }
    var result = self
    if result.language == "und", let tag = rendition.language {
      (result.language, result.languageTag) = (LanguageTag.letters(of: tag), tag)
    }
    if result.details.title.isEmpty { result.details.title = rendition.title }
    if rendition.isDefault { result.details.roles.insert(.chosen) }
    return result
  }
}
