// SPDX-License-Identifier: MIT

package import ApusBytes
internal import ApusMedia

/// A file of WebVTT, such as a segment of subtitles: W3C WebVTT, 6.1, with `X-TIMESTAMP-MAP` (RFC 8216, 3.5).
package struct WebVTTFile: Sendable {
  /// Times are those of the media.
  package private(set) var cues: [WebVTTCue] = []

  package init(_ bytes: [UInt8]) throws(SyntaxError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw SyntaxError(.invalid, field: "WebVTT", detail: "is not UTF-8")
    }
    var lines = Self.lines(text)[...]
    guard let first = lines.popFirst(),
      first.drop(while: { $0 == "\u{feff}" }).hasPrefix("WEBVTT")
    else { throw SyntaxError(.invalid, field: "WebVTT", detail: "does not begin with WEBVTT") }
    var shift: Int64 = 0
    while let line = lines.popFirst(), !line.isEmpty {
      if line.hasPrefix("X-TIMESTAMP-MAP=") { shift = Self.shift(line) ?? shift }
      // A cue may follow without an empty line.
      if line.holds("-->") {
        lines = Self.lines(text)[(lines.startIndex - 1)...]
        break
      }
    }
    while let line = lines.popFirst() {
      guard let cue = Self.times(line) else { continue }
      var text: [Substring] = []
      while let next = lines.first, !next.isEmpty, !next.holds("-->") {
        text.append(next)
        lines.removeFirst()
      }
      let (start, overStart) = cue.start.addingReportingOverflow(shift)
      let (end, overEnd) = cue.end.addingReportingOverflow(shift)
      guard !overStart, !overEnd, end > start else { continue }
      cues.append(
        WebVTTCue(
          start: .milliseconds(start), end: .milliseconds(end), settings: cue.settings,
          text: text.joined(separator: "\n")))
    }
  }

  private static func lines(_ text: String) -> [Substring] {
    text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
  }

  private static func times(_ line: Substring) -> (start: Int64, end: Int64, settings: String)? {
    let words = line.split { $0 == " " || $0 == "\t" }
    guard words.count >= 3, words[1] == "-->", let start = milliseconds(words[0]),
      let end = milliseconds(words[2])
    else { return nil }
    return (start, end, words.dropFirst(3).joined(separator: " "))
  }

  /// Parses a time such as `1:02:03.004`, with or without hours.
  private static func milliseconds(_ text: some StringProtocol) -> Int64? {
    let parts = text.split(separator: ":")
    guard (2...3).contains(parts.count) else { return nil }
    let seconds = parts[parts.count - 1].split(separator: ".")
    guard seconds.count == 2, seconds[1].utf8.count == 3, let whole = Int64(seconds[0]),
      let fraction = Int64(seconds[1]), let minutes = Int64(parts[parts.count - 2]),
      let hours = parts.count == 3 ? Int64(parts[0]) : 0,
      (0..<1_000_000).contains(hours), (0..<60).contains(minutes), (0..<60).contains(whole),
      fraction >= 0
    else { return nil }
    return ((hours * 60 + minutes) * 60 + whole) * 1000 + fraction
  }

  /// Returns the number of milliseconds to be added to the file's times to get the media's.
  private static func shift(_ line: Substring) -> Int64? {
    var media: Int64?
    var local: Int64?
    for part in line.dropFirst("X-TIMESTAMP-MAP=".count).split(separator: ",") {
      if part.hasPrefix("MPEGTS:") { media = Int64(part.dropFirst("MPEGTS:".count)) }
      if part.hasPrefix("LOCAL:") { local = milliseconds(part.dropFirst("LOCAL:".count)) }
    }
    guard let media, let local, media >= 0 else { return nil }
    return media / 90 - local
  }
}
