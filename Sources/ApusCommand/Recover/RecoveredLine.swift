// SPDX-License-Identifier: MIT

import ApusContainers
import ApusFacts
import ApusSamples

/// The result of recovering a movie, as text and JSON.
struct RecoveredLine {
  var file: String
  var output: String
  var report: RecoveryReport
  var bytes: Int?
  var duration: Int?
  var warnings: [String] = []

  /// The most ranges that the text lists.
  private static let mostRanges = 10

  /// The lines of the text.
  var texts: [String] {
    var lines = report.tracks.map { track in
      var line = "\(track.name): \(track.samples) samples"
      if track.undecodable > 0 {
        line += ", \(track.undecodable) before the first key frame left out"
      }
      if track.lost > 0 { line += ", about \(track.lost) lost" }
      return line
    }
    if !report.gaps.isEmpty {
      lines.append("unexplained: \(report.unexplained) bytes")
      lines += report.gaps.prefix(Self.mostRanges).map { gap in
        "  bytes \(gap.range.lowerBound) to \(gap.range.upperBound)" + (gap.isZero ? ", all 0" : "")
      }
      let more = report.gaps.count - Self.mostRanges
      if more > 0 { lines.append("  and \(more) more ranges") }
    }
    if report.missing > 0 {
      lines.append("missing: \(report.missing) bytes after the end of the file")
    }
    return lines + ["\(output): \(report.isComplete ? "complete" : "not complete")"]
  }
}

extension RecoveredLine: Described {
  static let title = "recovered"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == RecoveredLine {
    v.required("file", "The path of the input as given.") { $0.file }
    v.required("output", "The path of the output.") { $0.output }
    v.optional("bytes", "The size of the output; absent with --dry-run.") { $0.bytes }
    v.optional(
      "duration_ms",
      "The time from the first presentation to the end of the last sample; absent with --dry-run."
    ) { $0.duration }
    v.required(
      "complete", "Whether every byte of the media data is explained and none is missing."
    ) { $0.report.isComplete }
    v.required("tracks", "The tracks that were searched for.") {
      $0.report.tracks.map { RecoveredTrack(track: $0) }
    }
    v.required("unexplained_bytes", "The number of bytes that belong to no sample that was found.")
    { $0.report.unexplained }
    v.required("unexplained", "The ranges of these bytes.") {
      $0.report.gaps.map { UnexplainedRange(gap: $0) }
    }
    v.required(
      "missing_bytes", "The bytes of media data that should follow the end of the file."
    ) { $0.report.missing }
    v.required("warnings", "Everything else that is lost.") { $0.warnings }
  }
}

/// A track that was searched for.
private struct RecoveredTrack: Described {
  let track: RecoveryReport.Track

  static let title = "track"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == RecoveredTrack {
    v.required("name", "Codec and kind: HEVC video.") { $0.track.name }
    v.required("samples", "The number of samples in the output.") { $0.track.samples }
    v.required("undecodable", "The samples before the first key frame, which are left out.") {
      $0.track.undecodable
    }
    v.required(
      "lost", "The samples lost between others, as far as times or the order of tracks show it."
    ) {
      $0.track.lost
    }
  }
}

/// Bytes that belong to no sample.
private struct UnexplainedRange: Described {
  let gap: RecoveryReport.Gap

  static let title = "range"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == UnexplainedRange {
    v.required("start", "The offset of the first byte.") { $0.gap.range.lowerBound }
    v.required("end", "The offset after the last byte.") { $0.gap.range.upperBound }
    v.required("zero", "Whether all of them are 0.") { $0.gap.isZero }
  }
}
