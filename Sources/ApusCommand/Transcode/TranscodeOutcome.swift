// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
public import ApusFacts
import ApusFiles
import ApusMedia
import ApusPresentations
import ApusSamples
public import ApusTranscode

/// The result of one transcode.
struct TranscodeOutcome {
  var input: String
  var output: String
  var target: RemuxTarget
  var warnings: [String] = []
  var seconds: Double
  /// The playlists of a presentation.
  var presentation: HLSReport?
  /// The name of their folder.
  var folder = ""
  /// The result of `--report`.
  var quality: QualityReport?

  /// All warnings, beginning with those of the input.
  fileprivate func remarks(_ report: TranscodeReport) -> [String] {
    warnings + report.output.warnings + report.output.repairs
  }

  /// The files with re-encoded video.
  var written: [String] {
    guard let presentation else { return [output] }
    let place = output.folderPrefix + folder
    return presentation.renditions.filter { $0.kind == .video }.map { "\(place)/\($0.name)" }
  }

  func tell(_ report: TranscodeReport, bytes: Int, _ console: Console) {
    for warning in remarks(report).dropFirst(warnings.count) {
      console.warn("\(input): \(warning)")
    }
    for track in report.output.leftOut {
      console.warn("\(input): \(track.name) \(track.reason) and is left out")
    }
    for track in report.tracks {
      if track.damaged > 0 {
        console.warn("\(input): \(track.damaged) samples of \(track.name) are damaged")
      }
      let size = track.size.map { " of \($0.width)x\($0.height)" } ?? ""
      console.detail("\(track.name): \(track.frames) frames\(size) by \(track.encoder)")
    }
    let frames = report.tracks.first?.frames ?? report.output.pictures
    let pace = Double(frames) / seconds
    console.note(
      "\(output): \(frames) frames, \(bytes) bytes, \(pace.decimal(places: 1...1)) frames a second"
        + (report.keptPictures.map { ", \($0) frames before them kept" } ?? "")
        + (report.isStopped ? ", stopped before the end" : ""))
  }
}

/// The last line of `apus transcode --json`.
struct TranscodeDone: Described {
  let outcome: TranscodeOutcome
  let report: TranscodeReport
  let bytes: Int

  private enum Event: String, CaseIterable, FactValue { case done }

  static let title = "done"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == TranscodeDone {
    v.required("event", "The end of one input.") { _ in Event.done }
    v.required("file", "The path of the input as given.") { $0.outcome.input }
    v.required("output", "The path of the output.") { $0.outcome.output }
    v.required("format", "The format of the output.") { $0.outcome.target }
    v.required("bytes", "The size of the output.") { $0.bytes }
    v.required("duration_ms", "The duration of the output.") {
      Int($0.report.output.duration.rounded(to: 1000) ?? 0)
    }
    v.required("stopped", "Whether it ended before the input did.") { $0.report.isStopped }
    v.optional("kept_frames", "With --resume: the number of pictures kept of the earlier run.") {
      $0.report.keptPictures
    }
    v.required("seconds", "The seconds that it took.") {
      ($0.outcome.seconds * 1000).rounded() / 1000
    }
    v.required("coded", "The tracks that were re-encoded.") { $0.report.tracks }
    v.required("tracks", "The tracks that were written.") {
      $0.report.output.tracks.map { WrittenTrack(track: $0, hasChanges: false) }
    }
    v.optional(
      "quality", "With --report: each re-encoded video, compared with the input of its encoder."
    ) { $0.outcome.quality?.videos }
    v.optional("renditions", "To hls: the tracks, each with its own playlist.") {
      $0.outcome.presentation?.renditions.map { WrittenRendition(rendition: $0) }
    }
    v.required("left_out", "Tracks that were not written.") {
      $0.report.output.leftOut.map { LeftOutTrack(name: $0.name, reason: $0.reason) }
    }
    v.required("warnings", "Everything else that is lost or was repaired.") {
      $0.outcome.remarks($0.report)
    }
  }
}

extension TranscodedTrack: Described {
  public static let title = "coded"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == TranscodedTrack {
    v.required("name", "The original track: HEVC video.") { $0.name }
    v.optional("rung", "With --ladder: the rung: hevc:1080.") { $0.rung?.name }
    v.required("encoder", "The encoder with its library and version.") { $0.encoder }
    v.optional("width", "The width of the encoded pictures.") { $0.size?.width }
    v.optional("height", "The height of the encoded pictures.") { $0.size?.height }
    v.required("samples", "The number of samples in the input.") { $0.samples }
    v.required("frames", "The number of encoded pictures or sounds.") { $0.frames }
    v.required("bytes", "Their size in bytes.") { $0.bytes }
    v.required("damaged", "The number of incomplete pictures or sounds.") { $0.damaged }
    v.required("repaired_times", "The number of times that did not increase.") {
      $0.repairedTimes
    }
  }
}
