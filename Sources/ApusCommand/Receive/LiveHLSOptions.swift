// SPDX-License-Identifier: MIT

import ApusLive
import ApusMedia
import ApusPresentations

/// Options for live HLS presentations.
struct LiveHLSOptions: ArgumentGroup {
  static let heading = "HTTP Live Streaming"

  var folder: String?
  var segment: MediaTime?
  var window: MediaTime?
  var part: MediaTime?
  var listen: ListenAddress?
  var open = false

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "hls", "DIR", &folder, completion: .files,
      "write a live HLS presentation to DIR/NAME/index.m3u8")
    try v.option(
      "hls-time", "TIME", &segment, "end segments at the first key frame after this (default 4 s)")
    try v.option(
      "hls-window", "TIME", &window, "how far back players can seek (default 1:00)")
    try v.option(
      "hls-part", "TIME", &part,
      "length of low-latency parts, such as 0.33")
    try v.option(
      "hls-listen", "HOST:PORT", &listen,
      """
      serve DIR over HTTP, with blocking requests
      Requests for the next segment or part are held until it exists
      """)
    try v.flag(
      "hls-open", &open, "leave playlists open at SIGTERM, for a restart")
  }

  /// Returns the server of the folder; `nil` if another program serves it.
  ///
  /// - Parameter keyring: the keys of players; `nil` if anyone may play.
  func server(_ keyring: StreamKeyring?) -> LiveHLSServer? {
    guard let folder, let listen else { return nil }
    return LiveHLSServer(folder: folder, at: listen, keyring)
  }

  func options() throws(UsageError) -> LivePresentation.Options {
    let isBare = segment == nil && window == nil && part == nil && listen == nil && !open
    guard folder != nil || isBare else {
      throw UsageError(
        "--hls-time, --hls-window, --hls-part, --hls-listen and --hls-open need --hls")
    }
    var options = LivePresentation.Options()
    options.isBlocking = listen != nil
    if let segment {
      guard (1000...60_000).contains(segment.milliseconds) else {
        throw UsageError("--hls-time must be from 1 s to 60 s")
      }
      options.segmentDuration = .milliseconds(segment.milliseconds)
    }
    if let window {
      guard window.milliseconds >= 10_000 else {
        throw UsageError("--hls-window must be 10 s or more")
      }
      options.window = .milliseconds(window.milliseconds)
    }
    if let part {
      let half = options.segmentDuration.rounded(to: 1000).map { $0 / 2 } ?? 0
      guard (100...min(half, 2000)).contains(part.milliseconds) else {
        throw UsageError("--hls-part must be from 0.1 s to 2 s, and at most half of --hls-time")
      }
      options.partDuration = .milliseconds(part.milliseconds)
    }
    return options
  }
}
