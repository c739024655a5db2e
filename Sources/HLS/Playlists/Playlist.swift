// SPDX-License-Identifier: MIT

public import ApusBytes

/// A playlist of either kind: RFC 8216 and its revision (RFC 8216bis).
public enum Playlist: Hashable, Sendable {
  case media(MediaPlaylist)
  case multivariant(MultivariantPlaylist)

  /// Parses a playlist. Unknown tags are ignored, as the standard requires (6.3.1).
  public init(reading bytes: [UInt8]) throws(SyntaxError) {
    var lines = try PlaylistLines(bytes)
    var media: MediaPlaylistReader?
    var multivariant: MultivariantPlaylistReader?
    var common = CommonTags()
    while let line = try lines.next() {
      guard let tag = line.tag else {
        if media != nil {
          try media?.name(line)
        } else if multivariant != nil {
          try multivariant?.name(line)
        } else {
          throw line.refusal("name", "comes before any tag that describes it")
        }
        continue
      }
      if try common.read(tag, line) { continue }
      let isMedia = MediaPlaylistReader.tags.contains(String(tag))
      guard isMedia || MultivariantPlaylistReader.tags.contains(String(tag)) else { continue }
      if isMedia {
        guard multivariant == nil else { throw Self.mixture(line, tag) }
        if media == nil { media = MediaPlaylistReader() }
        try media?.read(tag, line)
      } else {
        guard media == nil else { throw Self.mixture(line, tag) }
        if multivariant == nil { multivariant = MultivariantPlaylistReader() }
        try multivariant?.read(tag, line)
      }
    }
    if let multivariant {
      self = .multivariant(try multivariant.finished(common))
    } else if let media {
      self = .media(try media.finished(common))
    } else {
      throw SyntaxError(
        .invalid, field: "playlist", detail: "has neither segments nor variants")
    }
  }

  private static func mixture(_ line: PlaylistLine, _ tag: Substring) -> SyntaxError {
    line.refusal(
      String(tag), "is for the other kind of playlist: one has segments or variants, never both")
  }

  /// The text of the playlist.
  public var text: String {
    switch self {
    case .media(let playlist): playlist.text
    case .multivariant(let playlist): playlist.text
    }
  }
}

/// Tags of both kinds: RFC 8216, 4.3.1 and 4.3.5.
struct CommonTags {
  private(set) var version = 1
  private(set) var hasIndependentSegments = false

  /// Returns whether the tag is one of them.
  mutating func read(_ tag: Substring, _ line: PlaylistLine) throws(SyntaxError) -> Bool {
    switch tag {
    case "EXT-X-VERSION": version = try line.integer()
    case "EXT-X-INDEPENDENT-SEGMENTS": hasIndependentSegments = true
    case "EXT-X-DEFINE":
      throw line.refusal(
        "EXT-X-DEFINE", "uses variables in names, which is not supported", .unsupported)
    default: return false
    }
    return true
  }
}
