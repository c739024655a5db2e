// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import HLS

extension Playlist {
  init(ofAtMost most: Int, in source: any ByteSource) throws {
    guard source.count <= most else {
      throw SyntaxError(
        .limit, field: "playlist", offset: most,
        detail: "has \(source.count) bytes, allowed are \(most)")
    }
    try self.init(reading: try source.bytes(in: 0..<source.count))
  }
}

extension MediaPlaylist {
  /// Throws for a delta update, which omits segments that are named nowhere else.
  func checkIsWhole() throws(MediaError) {
    guard skippedSegments == 0 else {
      throw MediaError(
        .unsupported, of: .part("playlist"),
        "is an update (EXT-X-SKIP) that leaves out \(skippedSegments) segments; ask for it without _HLS_skip"
      )
    }
  }
}
