// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusFacts
import ApusFiles
import ApusMedia
import ApusSamples
import ApusStills
import ISOBMFF

/// Makes a Live Photo from one picture and its video.
struct PairMaker {
  private let verb: Pair
  private let input: Input
  private let picture: LivePicture
  private let movie: any ByteSource
  private let facts: LiveVideoFacts
  private var report: PairReport

  /// Returns `nil` if the picture has no video.
  init?(_ verb: Pair, _ input: Input, _ videos: LiveVideos) throws {
    self.verb = verb
    self.input = input
    picture = try LivePicture(input.source, limits: verb.limits.plan, boxes: verb.limits.boxes)
    var warnings: [String] = []
    let path: String
    if let named = verb.video {
      input.files.add(named)
      path = named
      movie = try InputName(path: named).opened(verb.limits.boxes)
    } else if let video = picture.video {
      path = input.name
      // A source of its own, in which offsets count from the beginning of the video.
      movie = SplicedSource(video, without: [])
    } else if input.name != "-",
      let found = try videos.video(of: input.name, identifier: picture.identifier)
    {
      path = found.path
      warnings = found.warnings
      movie = try InputName(path: found.path).opened(verb.limits.boxes)
      input.files.add(found.path)
    } else {
      return nil
    }
    guard let facts = try LiveVideoFacts(of: movie) else {
      throw MediaError(.unsupported, of: .part(path), "is not an MP4 or MOV file with video")
    }
    self.facts = facts
    if let one = picture.identifier, let other = facts.identifier, one != other {
      throw MediaError(
        .misuse, of: .input,
        "has the content identifier \(one) and its video \(other), so they belong to different Live Photos"
      )
    }
    let identifier =
      try picture.identifier ?? facts.identifier
      ?? LiveIdentifier.identifier(of: [input.source, movie].map { Extent($0, 0..<$0.count) })
    report = PairReport(picture: input.name, video: path, identifier: identifier)
    report.warnings = warnings
    try settleTime()
  }

  private mutating func settleTime() throws {
    let length = Int(facts.duration * 1e6)
    if let time = verb.at.map({ Int($0.milliseconds) * 1000 }) {
      guard facts.stillTime == nil || facts.stillTime == time else {
        throw MediaError(
          .unsupported, of: .part(report.video),
          "already has the time of its picture, and --at differs")
      }
      guard time < length else {
        throw MediaError(
          .misuse, of: .part(report.video), "is \(facts.duration) s long; --at is beyond its end")
      }
      report.stillTime = time
    } else if let known = facts.stillTime {
      report.stillTime = known
    } else if verb.video == nil, let known = picture.stillTime, known < length {
      report.stillTime = known
    } else {
      report.stillTime = length / 2
      report.isStillTimeAssumed = true
    }
  }

  /// Writes both, or lists what would be written; `false` if an existing file is kept.
  func make(_ console: Console) throws -> Bool {
    var report = report
    var opened = try MediaInput.open(movie)
    report.warnings += opened.warnings
    let isTimeKnown = facts.stillTime != nil
    opened.source = try LiveMovieSource(
      opened.source, identifier: facts.identifier == nil ? report.identifier : nil,
      stillTime: isTimeKnown ? nil : RationalTime(Int64(report.stillTime), per: 1_000_000))
    let job = try RemuxJob(opened, options: RemuxJob.Options(.mov))
    report.warnings.removeAll { job.plan.settled.contains($0) }
    report.warnings += job.plan.warnings
    report.warnings += job.plan.leftOut.map { "\($0.name) \($0.reason) and is left out" }
    let path = try verb.output.target(for: input, several: verb.inputs.several)
    let moviePath = Self.moviePath(beside: path)
    for warning in report.warnings { console.warn("\(input.name): \(warning)") }
    if verb.output.dryRun {
      report.outputs = (path, moviePath)
      if verb.json { try console.print(report.json) }
      console.detail("\(path), \(moviePath): would be written")
      return true
    }
    guard let pictureFile = try verb.output.begin(path, for: input) else {
      return skip(path, console)
    }
    guard let movieFile = try verb.output.begin(moviePath, for: input) else {
      return skip(moviePath, console)
    }
    var sink = pictureFile.writer
    try picture.write(
      identifier: report.identifier, replacesNote: verb.replacesNote, to: &sink)
    var movieSink = movieFile.writer
    let remuxed = try job.writeAndWait(to: &movieSink)
    report.warnings += remuxed.repairs
    for repair in remuxed.repairs { console.warn("\(input.name): \(repair)") }
    // The video first: a picture that carries an identifier promises it.
    let written = try movieFile.commit()
    report.outputs = (try pictureFile.commit(), written)
    console.detail("\(report.outputs?.picture ?? path), \(written): \(report.identifier)")
    if verb.json { try console.print(report.json) }
    return true
  }

  private func skip(_ path: String, _ console: Console) -> Bool {
    console.noteExisting(path)
    return false
  }

  /// Returns the path of the picture with the extension of the video, in the same case.
  private static func moviePath(beside path: String) -> String {
    let ending = path.pathExtension
    let isCapital = ending.contains(where: \.isLetter) && ending == ending.uppercased()
    return path.withoutExtension + (isCapital ? ".MOV" : ".mov")
  }
}
