// SPDX-License-Identifier: MIT

import Bytes
import Containers
import Files
import Flow
import Media
import Transcode

/// The result of `--report` as text and JSON: the similarity of the output to the pictures that were encoded.
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

  func write(to json: inout JSONWriter<String>) {
    json.key("quality")
    json.array { json in
      for video in videos {
        json.object { json in Self.write(video, to: &json) }
      }
    }
  }

  private static func write(_ video: VideoQuality, to json: inout JSONWriter<String>) {
    if let rung = video.rung { json.field("rung", rung.name) }
    json.field("width", video.size.width)
    json.field("height", video.size.height)
    json.field("frames", video.count)
    write(
      video.psnr, video.psnrOfPlanes, video.meanSimilarity, video.similarityOfPlanes, to: &json)
    json.key("worst")
    json.array { json in
      for picture in video.worst { json.object { json in write(picture, to: &json) } }
    }
    if let least = video.leastSimilar {
      json.key("least_similar")
      json.object { json in write(least, to: &json) }
    }
    for (name, count, times) in [
      ("missing", video.missingCount, video.missing), ("extra", video.extraCount, video.extra),
    ] {
      json.field(name, count)
      json.key(name + "_ms")
      json.array { json in for time in times { json.value(time.rounded(to: 1000) ?? 0) } }
    }
  }

  /// Returns one line of JSON for a picture.
  static func json(_ picture: PictureLikeness, of video: VideoQuality) -> String {
    var json = JSONWriter("")
    json.object { json in
      json.field("event", "picture")
      if let rung = video.rung { json.field("rung", rung.name) }
      write(picture, to: &json)
    }
    return json.output
  }

  private static func write(_ picture: PictureLikeness, to json: inout JSONWriter<String>) {
    json.field("frame", picture.number)
    json.field("time_ms", picture.time.rounded(to: 1000) ?? 0)
    write(
      picture.psnr, picture.errors.map(PictureLikeness.decibels), picture.similarity,
      picture.similarities, to: &json)
  }

  /// Writes the measures: `null` means equal pictures, or planes that are too small to measure.
  private static func write(
    _ psnr: Double, _ planes: [Double], _ similarity: Double?, _ similarities: [Double?],
    to json: inout JSONWriter<String>
  ) {
    json.key("psnr")
    json.number(rounded(psnr, 1e4))
    json.key("psnr_planes")
    json.array { json in for plane in planes { json.number(rounded(plane, 1e4)) } }
    json.key("ssim")
    json.number(rounded(similarity ?? .nan, 1e6))
    json.key("ssim_planes")
    json.array { json in for plane in similarities { json.number(rounded(plane ?? .nan, 1e6)) } }
  }

  private static func rounded(_ value: Double, _ unit: Double) -> Double {
    (value * unit).rounded() / unit
  }

  private static func decibels(_ value: Double) -> String {
    value.isFinite ? "\(rounded(value, 100))" : "equal"
  }

  private static func ratio(_ value: Double) -> String { "\(rounded(value, 1e4))" }

  private static func time(_ time: RationalTime) -> String {
    let milliseconds = time.rounded(to: 1000) ?? 0
    let rest = String(1000 + abs(milliseconds % 1000)).dropFirst()
    return (milliseconds < 0 ? "-" : "") + StreamText.time(abs(milliseconds)) + "." + rest
  }
}
