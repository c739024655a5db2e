// SPDX-License-Identifier: MIT

public import ApusFacts
public import ApusMedia
public import ApusStills

/// The result of `convert` for one photo.
extension PhotoReport: Described {
  public static let title = "photo"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == PhotoReport {
    v.facts { PhotoResult(report: $0) }
    v.optional("live", "With --live, the video of a Live Photo, if one was found.") { $0.live }
    v.optional("source", "With --remove-source, whether the photo's file was removed.") {
      $0.source
    }
    v.optional("others", "With --images all, the outputs after the first picture.") { report in
      // A video is reported as such.
      report.outputs.filter { if case .other = $0.role { true } else { false } }
        .map { OtherOutput(output: $0) }.nonEmpty
    }
  }

  /// The first output that is not a video.
  fileprivate var picture: Output? {
    outputs.first { if case .video = $0.role { false } else { true } }
  }
}

/// The result of `export` for one file.
struct ExportedFile: Described {
  let report: PhotoReport

  static let title = "photo"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == ExportedFile {
    v.facts { PhotoResult(report: $0.report) }
    v.required(
      "copied",
      "Whether the output is identical to the input. Re-encoded and remuxed videos have no size here."
    ) { $0.report.isCopied }
  }
}

/// The result of `thumbnail` for one photo.
struct MadeThumbnail: Described {
  let report: PhotoReport

  static let title = "photo"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == MadeThumbnail {
    v.facts { PhotoResult(report: $0.report) }
    v.optional("embedded", "Whether it was made from an embedded thumbnail.") { thumbnail in
      thumbnail.report.picture.map { _ in thumbnail.report.isEmbedded }
    }
  }
}

/// The result of `extract` for one photo.
struct ExtractedPhoto: Described {
  let report: PhotoReport

  static let title = "photo"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == ExtractedPhoto {
    v.facts { PhotoResult(report: $0.report) }
    v.required("parts", "The outputs; for a failed photo, those that could be read.") {
      $0.report.outputs.map { PartOutput(output: $0) }
    }
  }
}

/// The facts that all verbs report about a photo.
private struct PhotoResult: Described {
  let report: PhotoReport

  static let title = "result"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == PhotoResult {
    v.required(
      "input",
      """
      The path as given or found; - is standard input. A folder or list that could not be read has a line too.
      """
    ) { $0.report.input }
    v.required("output", "The output file, or - for standard output; null if there is none.") {
      $0.report.picture?.path
    }
    v.required(
      "status",
      """
      skipped: the output exists, the photo was listed twice, an earlier run finished it, or it has none of the \
      requested parts. salvaged: written with --salvage although part of it is missing.
      """
    ) { $0.report.status }
    v.required("width", "The width of the output; 0 if there is none.") {
      $0.report.picture?.width ?? 0
    }
    v.required("height", "The height of the output.") { $0.report.picture?.height ?? 0 }
    v.required("bytes_in", "The size of the photo in bytes; 0 if it was not opened.") {
      $0.report.bytesIn
    }
    v.required("bytes_out", "The size of all outputs in bytes.") {
      $0.report.outputs.reduce(0) { $0 + $1.bytes }
    }
    v.required("seconds", "The time since a worker started on it.") {
      thousandths($0.report.seconds)
    }
    v.required(
      "decoders", "The decoders of its pictures, including first passes; empty if there are none."
    ) { $0.report.decoders }
    v.optional(
      "encoders",
      "The encoders of the pictures of a HEIC, including its gain map, alpha and thumbnail."
    ) { $0.report.encoders.nonEmpty }
    v.required("warnings", "The warnings.") { $0.report.warnings }
    v.required("error", "The reason why it failed; null for any other status.") {
      $0.report.failure
    }
    v.isKnown("error", onlyIf: "status", is: PhotoReport.Status.failed.rawValue)
    v.optional("gain_map", "The gain map of the first picture, if it was written.") {
      $0.report.picture?.gainMap
    }
  }
}

/// A picture next to the first one.
private struct OtherOutput: Described {
  let output: PhotoReport.Output

  static let title = "other"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == OtherOutput {
    v.required("output", "The path of the output.") { $0.output.path }
    v.required("width", "The width; 0 for copies.") { $0.output.width }
    v.required("height", "The height.") { $0.output.height }
    v.required("bytes", "The size in bytes.") { $0.output.bytes }
    v.optional("gain_map", "The gain map, if it was written.") { $0.output.gainMap }
  }
}

/// An extracted part.
private struct PartOutput: Described {
  let output: PhotoReport.Output

  static let title = "part"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == PartOutput {
    v.required(
      "name",
      "The part of the output's name after the photo's; empty for metadata of its picture."
    ) { $0.output.role.name }
    v.facts { OtherOutput(output: $0.output) }
  }
}

extension PhotoReport.Status: FactValue {}
extension PhotoReport.Live.Outcome: FactValue {}
extension LiveVideo.Basis: FactValue {}

extension PhotoReport.Live: Described {
  public static let title = "live"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == PhotoReport.Live {
    v.required("video", "The file as found.") { $0.video }
    v.required("bytes", "The size of the video.") { $0.bytes }
    v.required(
      "paired_by",
      """
      content-identifier: picture and video have the same one. embedded: the video is in the file of the picture. \
      name: their names match and one of them has no identifier, so it is a guess.
      """
    ) { $0.basis }
    v.required(
      "outcome",
      """
      kept: copied next to the output, byte for byte. appended: follows the picture in the output. dropped: not in \
      the output.
      """
    ) { $0.outcome }
    v.required(
      "output", "The file next to the output; null if there is none, or if a file already existed."
    ) { $0.output }
  }
}

extension PhotoReport.GainMap: Described {
  public static let title = "gain_map"

  package static func describe<V: FactVisitor>(_ v: inout V)
  where V.Subject == PhotoReport.GainMap {
    v.required("width", "The width.") { $0.width }
    v.required("height", "The height.") { $0.height }
    v.required("bytes", "The size of its JPEG, which follows the picture's.") { $0.bytes }
    v.required("headroom", "The headroom: the peak of the HDR picture relative to white.") {
      ($0.headroom * 1e6).rounded() / 1e6
    }
    v.required(
      "origin",
      """
      The source of the parameters: a tmap item, XMP of Adobe or Apple, Apple's maker note, or none, because the \
      map was made from a PQ or HLG picture.
      """
    ) { $0.origin }
  }
}

extension CodecUse: Described {
  public static let title = "codec"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == CodecUse {
    v.required(
      "name",
      """
      intra is the built-in decoder, own the built-in encoder; others are libraries with their versions.
      """
    ) { $0.name }
    v.required("pictures", "The number of pictures, each tile counted.") { $0.pictures }
    v.optional(
      "reason", "The reason why intra did not decode them, or libx265 did not encode them."
    ) { $0.reason }
  }
}

extension MediaError.Kind: FactValue {}

extension MediaError: Described {
  public static let title = "error"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == MediaError {
    v.required("kind", "The kind of error.") { $0.kind }
    v.required("path", "The box with the problem, as inspect shows it; empty if there is none.") {
      $0.path
    }
    v.required("offset", "The offset in the file; null if unknown.") { $0.offset }
    v.required("message", "The message.") { $0.text }
  }
}

/// The last line of a run.
struct RunSummary: Described {
  let tally: BatchTally
  let isInterrupted: Bool

  static let title = "run"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == RunSummary {
    v.required("summary", "The totals of the run.") { RunTotals(summary: $0) }
  }
}

private struct RunTotals: Described {
  let summary: RunSummary

  private var tally: BatchTally { summary.tally }

  static let title = "summary"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == RunTotals {
    for status in PhotoReport.Status.allCases {
      v.required(status.rawValue, "The number of photos with this status.") { $0.tally[status] }
    }
    v.required(
      "finished_before",
      "The number of skipped photos that an earlier run had finished, according to the journal."
    ) { $0.tally.finishedBefore }
    v.required("bytes_in", "The size of all photos in bytes.") { $0.tally.bytesIn }
    v.required("bytes_out", "The size of all outputs in bytes.") { $0.tally.bytesOut }
    v.required("seconds", "The time that the run took.") { thousandths($0.tally.seconds) }
    v.required("interrupted", "Whether the run was stopped.") { $0.summary.isInterrupted }
    v.optional(
      "sources", "With --remove-source, the numbers of photos that were removed and kept."
    ) { totals in
      let counts = [("removed", totals.tally.removed), ("kept", totals.tally.kept)]
      return counts.contains { $0.1 > 0 } ? FactCounts(counts) : nil
    }
    v.optional("videos", "With --live, the numbers of videos of Live Photos by outcome.") {
      $0.videos
    }
  }

  private var videos: FactCounts? {
    guard !tally.videos.isEmpty else { return nil }
    return FactCounts(
      PhotoReport.Live.Outcome.allCases.map { ($0.rawValue, tally.videos[$0] ?? 0) })
  }
}

/// Returns seconds rounded to milliseconds.
private func thousandths(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }
