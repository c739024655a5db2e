// SPDX-License-Identifier: MIT

import ApusBytes
import HLS

/// A playlist is refused, or says the same when it is written and read again; its names become paths that are
/// not longer than they are.
func fuzz(_ bytes: [UInt8]) throws {
  for playlist in [bytes, Array("#EXTM3U\n".utf8) + bytes] {
    let read: Playlist
    do throws(SyntaxError) {
      read = try Playlist(reading: playlist)
    } catch {
      continue
    }
    let text = read.text
    let again: Playlist
    do throws(SyntaxError) {
      again = try Playlist(reading: Array(text.utf8))
    } catch {
      throw Violation(what: "what was written is refused: \(error)")
    }
    try expect(again == read, "what was written says something else")
    try expect(again.text == text, "the same is written in another way")
    for name in names(in: read) {
      guard let path = try? PlaylistPath.resolved(name, in: "a/b.m3u8") else { continue }
      try expect(path.utf8.count <= name.utf8.count + 2, "a path is longer than its names")
      let isConfined = !PlaylistPath.leaves(path)
      let climbs = path.split(separator: "/").contains("..")
      try expect(!isConfined || !climbs, "a path leads out of its folder")
    }
  }
}

private func names(in playlist: Playlist) -> [String] {
  switch playlist {
  case .media(let media): media.segments.flatMap { [$0.name, $0.header?.name].compactMap(\.self) }
  case .multivariant(let all): all.variants.map(\.name) + all.renditions.compactMap(\.name)
  }
}
