// SPDX-License-Identifier: MIT

internal import Bytes
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
