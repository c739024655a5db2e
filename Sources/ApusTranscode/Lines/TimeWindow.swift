// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples

/// A stretch of the input, and the shift to its times in the output.
struct TimeWindow: Hashable, Sendable {
  var start: RationalTime?
  var end: RationalTime?
  /// The time that is subtracted from all times.
  var origin = RationalTime(0, per: 1)

  func begins(after time: RationalTime) -> Bool { start.map { time.isBefore($0) } ?? false }
  func ends(by time: RationalTime) -> Bool { end.map { !time.isBefore($0) } ?? false }

  /// Returns a time of the input as a time of the output.
  func moved(_ time: RationalTime) throws(MediaError) -> RationalTime {
    try time.earlier(by: origin)
  }
}

extension TranscodeSettings {
  /// The stretch that is requested; the output begins with 0.
  var window: TimeWindow {
    var window = TimeWindow(start: start, end: end)
    if let start { window.origin = start }
    return window
  }
}

extension MediaDetails {
  /// Returns the details with the chapters within a stretch of the input, in times of the output.
  func cut(to window: TimeWindow) throws -> MediaDetails {
    guard window.start != nil || window.end != nil else { return self }
    var result = self
    result.chapters = []
    for var chapter in chapters {
      if window.ends(by: chapter.start) { continue }
      if let end = chapter.end {
        if let start = window.start, !start.isBefore(end) { continue }
        chapter.end = try window.moved(window.end.map { $0.isBefore(end) ? $0 : end } ?? end)
      }
      chapter.start =
        window.begins(after: chapter.start) ? .milliseconds(0) : try window.moved(chapter.start)
      // A chapter without an end lasts until the next one begins, which may be before the stretch.
      if chapter.start.value == 0, result.chapters.last?.start.value == 0 {
        result.chapters.removeLast()
      }
      result.chapters.append(chapter)
    }
    return result
  }
}
