// SPDX-License-Identifier: MIT

internal import ApusPresentations
internal import ApusSamples
internal import Glibc
internal import RTMP

/// A live stream on its way into a presentation for HTTP Live Streaming.
struct PresentationFeed {
  let presentation: LivePresentation
  private var samples = LiveSamples()
  private var isBegun = false

  init(_ presentation: LivePresentation) { self.presentation = presentation }

  /// Adds a tag and returns what the presentation cannot hold, as text.
  mutating func add(_ tag: ReceivedTag) throws -> [String] { try pass(samples.add(tag)) }

  /// Ends the stream, which may be resumed.
  mutating func end() throws {
    _ = try pass(samples.begin())
    try presentation.endSession()
  }

  private mutating func pass(_ events: [SourceEvent]) throws -> [String] {
    var words: [String] = []
    if !events.isEmpty, !isBegun {
      isBegun = true
      words = try presentation.begin(samples.tracks)
    }
    for event in events { try presentation.add(event) }
    return words
  }

  /// Returns the time of day this many microseconds ago, in UTC (ISO 8601).
  static func date(before microseconds: Int64) -> String {
    var clock = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &clock)
    let time = Int64(clock.tv_sec) * 1000 + Int64(clock.tv_nsec) / 1_000_000 - microseconds / 1000
    var seconds = time_t(time / 1000)
    var parts = unsafe tm()
    _ = unsafe gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = unsafe strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &parts)
    return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
      + ".\(String(1000 + time % 1000).dropFirst())Z"
  }
}
