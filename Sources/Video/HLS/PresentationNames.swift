// SPDX-License-Identifier: MIT

public import Bytes
internal import HLS

/// The files that a presentation consists of, but for the playlist that names them all.
public enum PresentationNames {
  /// As paths from the folder of the playlist. What cannot be read names nothing.
  public static func all(
    in source: any ByteSource, opener: HLSSource.Opener
  ) -> [String] {
    guard let playlist = try? Playlist(ofAtMost: mostBytes, in: source) else { return [] }
    var names: [String] = []
    var known: Set<String> = []
    func add(_ name: String, in base: String) -> String? {
      guard let path = try? PlaylistPath.resolved(name, in: base), known.insert(path).inserted
      else { return nil }
      names.append(path)
      return path
    }
    func add(_ media: MediaPlaylist, at base: String) {
      for segment in media.segments {
        _ = add(segment.name, in: base)
        if let header = segment.header { _ = add(header.name, in: base) }
      }
    }
    switch playlist {
    case .media(let media): add(media, at: "")
    case .multivariant(let all):
      for name in all.variants.map(\.name) + all.renditions.compactMap(\.name) {
        guard let path = add(name, in: ""), !PlaylistPath.leaves(path),
          let source = try? opener(path),
          case .media(let media)? = try? Playlist(ofAtMost: mostBytes, in: source)
        else { continue }
        add(media, at: path)
      }
    }
    return names
  }

  private static var mostBytes: Int { 1 << 24 }
}

extension Playlist {
  init(ofAtMost most: Int, in source: any ByteSource) throws(SyntaxError) {
    guard source.count <= most else {
      throw SyntaxError(
        .limit, field: "playlist", offset: 0,
        detail: "has \(source.count) bytes, allowed are \(most)")
    }
    try self.init(reading: try source.bytes(in: 0..<source.count))
  }
}
