// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
public import ApusFacts
import ApusFiles
import ApusMedia
import ApusSamples
public import ApusTranscode

/// The result of `--report`: the similarity of the output to the pictures that were encoded.
struct QualityReport {
  var videos: [VideoQuality]

  /// Decodes and compares the output of a job; `nil` if it was stopped.
  ///
  /// - Parameters:
  ///   - paths: the files, or the playlists of the videos of a presentation.
  ///   - onPicture: called for each picture.
  init?(
    _ job: TranscodeJob, _ paths: [String], limits: Limits,
    onPicture: @escaping (VideoQuality, PictureLikeness) -> Void
  ) throws {
    let written = try paths.map { path in
      var opening = MediaInput.Options()
      opening.limits = limits
      return try MediaInput.open(
        try openInput(path), options: opening.reading(playlistAt: path))
    }
    guard let videos = try job.quality(of: written, onPicture: onPicture) else { return nil }
    self.videos = videos
  }

  /// Returns a line for each video, and one for its worst pictures.
  func text(of output: String) -> String {
    videos.map { video in Self.lines(video).map { "\(output): \($0)\n" }.joined() }.joined()
  }

  private static func lines(_ video: VideoQuality) -> [String] {
    let name = video.rung.map { "\($0.name), " } ?? ""
    let planes = zip(["Y", "U", "V"], video.psnrOfPlanes).map { "\($0) \(decibels($1))" }
    var lines = [
      "\(name)\(video.size.width)x\(video.size.height): \(video.count) pictures compared, "
        + "PSNR \(decibels(video.psnr)) dB (\(planes.joined(separator: ", "))), "
        + "SSIM \(video.meanSimilarity.map(ratio) ?? "unknown")"
    ]
    let worst = video.worst.map {
      "\(time($0.time)) \(decibels($0.psnr)) dB" + ($0.similarity.map { " \(ratio($0))" } ?? "")
    }
    if !worst.isEmpty { lines.append("\(name)worst: " + worst.joined(separator: "; ")) }
    if let least = video.leastSimilar, let similarity = least.similarity {
      lines.append("\(name)least SSIM: \(time(least.time)) \(ratio(similarity))")
    }
    for (count, times, word) in [
      (video.missingCount, video.missing, "missing"), (video.extraCount, video.extra, "extra"),
    ] where count > 0 {
      let list = times.map(time).joined(separator: ", ") + (count > times.count ? ", …" : "")
      lines.append("\(name)\(count) pictures \(word): \(list)")
    }
    return lines
  }

  fileprivate static func rounded(_ value: Double, _ unit: Double) -> Double {
    (value * unit).rounded() / unit
  }

  private static func decibels(_ value: Double) -> String {
    value.isFinite ? "\(rounded(value, 100))" : "equal"
  }

  private static func ratio(_ value: Double) -> String { "\(rounded(value, 1e4))" }

  private static func time(_ time: RationalTime) -> String {
    let milliseconds = time.rounded(to: 1000) ?? 0
    let rest = String(1000 + abs(milliseconds % 1000)).dropFirst()
    return (milliseconds < 0 ? "-" : "") + StreamText.time(.milliseconds(abs(milliseconds))) + "."
      + rest
  }
}

extension VideoQuality: Described {
  public static let title = "quality"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == VideoQuality {
    v.optional("rung", "With --ladder: the rung.") { $0.rung?.name }
    v.required("width", "The width of the pictures.") { $0.size.width }
    v.required("height", "The height of the pictures.") { $0.size.height }
    v.required("frames", "The number of pictures that were compared.") { $0.count }
    v.facts {
      Likeness(
        psnr: $0.psnr, psnrOfPlanes: $0.psnrOfPlanes, similarity: $0.meanSimilarity,
        similarityOfPlanes: $0.similarityOfPlanes)
    }
    v.required("worst", "The pictures with the lowest PSNR, the worst first.") { $0.worst }
    v.optional("least_similar", "The picture with the lowest SSIM.") { $0.leastSimilar }
    v.required("missing", "The number of pictures that the encoder got but that are missing.") {
      $0.missingCount
    }
    v.required("missing_ms", "The times at which the first of them should be shown.") {
      $0.missing.map { $0.rounded(to: 1000) ?? 0 }
    }
    v.required("extra", "The number of pictures that the encoder did not get.") { $0.extraCount }
    v.required("extra_ms", "The times at which the first of them are shown.") {
      $0.extra.map { $0.rounded(to: 1000) ?? 0 }
    }
  }
}

extension PictureLikeness: Described {
  public static let title = "likeness"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == PictureLikeness {
    v.required("frame", "The number of the picture among those that the encoder got.") {
      $0.number
    }
    v.required("time_ms", "The time in the output at which it is shown.") {
      $0.time.rounded(to: 1000) ?? 0
    }
    v.facts {
      Likeness(
        psnr: $0.psnr, psnrOfPlanes: $0.errors.map(PictureLikeness.decibels),
        similarity: $0.similarity, similarityOfPlanes: $0.similarities)
    }
  }
}

/// A line of `apus transcode --json --report`.
struct ComparedPicture: Described {
  let rung: String?
  let picture: PictureLikeness

  private enum Event: String, CaseIterable, FactValue { case picture }

  static let title = "picture"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == ComparedPicture {
    v.required("event", "With --report: the comparison of a picture.") { _ in Event.picture }
    v.optional("rung", "With --ladder: the rung.") { $0.rung }
    v.facts { $0.picture }
  }
}

private struct Likeness: Described {
  let psnr: Double
  let psnrOfPlanes: [Double]
  let similarity: Double?
  let similarityOfPlanes: [Double?]

  static let title = "measures"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == Likeness {
    v.required("psnr", "The PSNR of all samples, in decibels; null if pictures are equal.") {
      rounded($0.psnr)
    }
    v.required("psnr_planes", "The PSNR of Y, U and V.") { $0.psnrOfPlanes.map(rounded) }
    v.required("ssim", "The SSIM of all samples; null if pictures are too small.") {
      $0.similarity.map { QualityReport.rounded($0, 1e6) }
    }
    v.required("ssim_planes", "The SSIM of Y, U and V.") {
      $0.similarityOfPlanes.map { $0.map { QualityReport.rounded($0, 1e6) } }
    }
  }

  private static func rounded(_ decibels: Double) -> Double? {
    decibels.isFinite ? QualityReport.rounded(decibels, 1e4) : nil
  }
}
