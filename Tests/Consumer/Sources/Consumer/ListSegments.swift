// SPDX-License-Identifier: MIT

// begin
import ApusBytes
import HLS

/// The names of the segments, or of the playlists, that a playlist lists.
func names(in playlist: [UInt8]) throws(SyntaxError) -> [String] {
  switch try Playlist(reading: playlist) {
  case .media(let media): media.segments.map(\.name)
  case .multivariant(let multivariant): multivariant.variants.map(\.name)
  }
}
// end
