// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusContainers
internal import ApusMedia
public import ApusSamples
internal import HLS

/// A presentation with everything that its playlists refer to, as input for the rules.
public struct PresentationContext: Sendable {
  /// The text of the playlist to be checked, as written.
  let text: String
  /// The multivariant playlist; `nil` if a media playlist is checked.
  let multivariant: MultivariantPlaylist?
  private(set) var playlists: [MeasuredPlaylist] = []
  /// Playlists that cannot be read, and the reasons.
  private(set) var failures: [(path: String, reason: String)] = []
  /// The name that findings use for the playlist to be checked.
  let name: String
  /// The address to which the names in it are relative; empty for a file.
  private let base: String

  /// - Parameters:
  ///   - source: the playlist; the names in one with a location are addresses.
  ///   - name: the name of its file, without a folder, or its address.
  ///   - options: the options for opening segments.
  ///   - mayLeave: whether names may lead out of its folder.
  ///   - measures: whether segments are read. If not, playlists at web addresses are not looked for, either.
  public init(
    _ source: any ByteSource, name: String, options: OpeningOptions = OpeningOptions(),
    mayLeave: Bool = false, measures: Bool = true, opener: @escaping HLSSource.Opener
  ) throws {
    self.name = name
    base = (source as? any LocatedSource)?.location ?? ""
    let files = OpenFiles { path in
      guard mayLeave || !PlaylistPath.leaves(path) else {
        throw MediaError(
          .unsupported, of: .part(path), "lies outside the folder of the playlist",
          remedy: .outside)
      }
      return try opener(path)
    }
    let bytes = try Self.bytes(of: source)
    text = String(decoding: bytes, as: UTF8.self)
    let playlist: MultivariantPlaylist
    switch try Playlist(reading: bytes) {
    case .media(let media):
      multivariant = nil
      playlists = [
        try MeasuredPlaylist(
          path: name, base: base, role: Self.role(of: media), bytes, options: options,
          measures: measures, files.open)
      ]
      return
    case .multivariant(let named): playlist = named
    }
    multivariant = playlist
    let named: [(String?, MeasuredPlaylist.Role)] =
      playlist.variants.map { ($0.name, .variant) }
      + playlist.renditions.map { ($0.name, $0.kind == .subtitles ? .subtitles : .sound) }
      + playlist.keyFrameVariants.map { ($0.name, .keyFrames) }
    var known: Set<String> = []
    for (name, role) in named {
      guard let name, known.insert(name).inserted,
        measures || !base.isEmpty || !WebAddress.isOne(name)
      else { continue }
      do {
        let path = try PlaylistPath.resolved(name, in: base)
        let source = try files.open(path)
        playlists.append(
          try MeasuredPlaylist(
            path: path, base: (source as? any LocatedSource)?.location ?? path, role: role,
            try Self.bytes(of: source), options: options, measures: measures, files.open))
      } catch {
        failures.append((name, MediaError(error).message))
      }
    }
  }

  /// Returns the role of a playlist that no other playlist names.
  private static func role(of playlist: MediaPlaylist) -> MeasuredPlaylist.Role {
    if playlist.isKeyFramesOnly { return .keyFrames }
    let isText = playlist.segments.first.map { segment in
      [".vtt", ".webvtt"].contains { segment.name.lowercased().hasSuffix($0) }
    }
    return isText == true ? .subtitles : .variant
  }

  private static func bytes(of source: any ByteSource) throws -> [UInt8] {
    guard source.count <= 1 << 24 else {
      throw MediaError(.limit, of: .part("playlist"), "has \(source.count) bytes")
    }
    return try source.bytes(in: 0..<source.count)
  }

  /// Returns the playlist with a name from the multivariant playlist.
  func playlist(_ name: String?) -> MeasuredPlaylist? {
    guard let name, let path = try? PlaylistPath.resolved(name, in: base) else { return nil }
    return playlists.first { $0.path == path }
  }

  /// Returns the renditions of a kind that go with a variant.
  func members(_ group: String?, _ kind: MultivariantPlaylist.Rendition.Kind)
    -> [MultivariantPlaylist.Rendition]
  {
    guard let group else { return [] }
    return multivariant?.renditions.filter { $0.kind == kind && $0.group == group } ?? []
  }

  /// Playlists of pictures and sound for normal playback.
  var media: [MeasuredPlaylist] { playlists.filter { $0.role == .variant || $0.role == .sound } }

  /// Variants with pictures, each playlist once.
  var videos: [MeasuredPlaylist] { playlists.filter { $0.role == .variant && $0.video != nil } }

  /// The number of segments in all readable playlists.
  public var segmentCount: Int { playlists.reduce(0) { $0 + $1.playlist.segments.count } }
  /// The number of readable media playlists.
  public var playlistCount: Int { playlists.count }
}
