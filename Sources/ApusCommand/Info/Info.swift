// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFacts
import ApusFiles
import ApusMedia
import ApusRecords
import ApusTranscode
import ISOBMFF

/// `apus info`: shows the facts of a file on one screen.
struct Info: Verb {
  static let name = "info"
  static let summary =
    "show codec, size, frame rate, colour and problems of a file"
  static let discussion = """
    Shows the facts of each file on one screen: kind and brands, tracks or items with their codec string, \
    displayed size, frame rate, colour and dynamic range, rotation, duration, bit rate, key frame distance, \
    and whether it plays on Apple devices (hvc1, Main or Main 10, 4:2:0). Content Credentials (C2PA) are shown as \
    they are, without verifying their signatures. Errors and warnings follow.

    --gop draws the pictures in decoding order: a column for the size of each, its type (I, P or B), and a \
    mark (^) below key frames. It reads only the beginning of each NAL unit.

    Facts come from parameter sets and samples; a record or container that contradicts them is reported as a \
    finding. Files without sample tables (FLV, transport streams, Matroska, AVI, bare streams, playlists) are \
    read to the end. A file at an http:// or https:// address is downloaded first. For a media segment, --init names the initialization segment it needs.

    --measure answers two separate questions for each track: can it be decoded here (the first picture is \
    decoded), and does it play in real time (part of it is decoded for at most two seconds). Each answer is \
    yes, no or unmeasured. Photos get only the first.
    """
  static let examples = [
    Example("apus info movie.mp4", "Shows the facts of a file."),
    Example("apus info --gop movie.mp4", "Also draws the sizes and types of its pictures."),
    Example("apus info --measure movie.mp4", "Also tests whether this machine can play it."),
    Example("apus info --json photo.heic | jq .picture.primary.codec", "Prints the codec string."),
    Example("apus info --init init.mp4 segment.m4s", "Shows the facts of a media segment."),
    Example("apus info -r photos", "Shows the facts of all files in a folder and its subfolders."),
  ]

  var inputs = InputOptions()
  var gop = false
  var measure = false
  var beginning: String?
  var json = false
  var login = LoginOptions()
  var trust = TrustOptions()
  var limits = LimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.group(&inputs)
    try v.flag("gop", &gop, "draw the sizes and types of the pictures")
    try v.flag("measure", &measure, "test whether it can be decoded, and in real time")
    try v.option(
      "init", "INIT", &beginning, completion: .files,
      "initialization segment for media segments given as FILE")
    try v.json(&json)
    try v.group(&login)
    try v.group(&trust)
    try v.group(&limits)
  }

  func run(_ console: Console) throws -> ExitStatus {
    var output = ResultStream(console: console)
    var shown = 0
    try login.check(inputs, trust)
    let opened = try inputs.opened(console, limits.limits)
    opened.openElsewhere = { name throws(FileError) in
      try login.downloaded(name, trust, console, limit: limits.limits.pipe)
    }
    try opened.each { input in
      LastValues.forget()
      let (input, skipped) = try whole(input)
      var overview = try input.overview(limits.limits)
      overview.leaveOut(first: skipped)
      LastValues.keep(overview)
      let measures = measure ? measured(overview, input) : nil
      if json {
        let name = SecretRanges.masked(input.name)
        output.write(json: InfoAnswer(file: name, overview: overview, measures: measures))
      } else {
        if shown > 0 { output.write("\n") }
        var text = InfoText(palette: Palette(console))
        if inputs.several, !console.verbose { text.shownFindings = 1 }
        text.write(overview, file: SecretRanges.masked(input.name), to: &output)
        if let measures { MeasureText().write(measures, to: &output) }
        if gop { try draw(overview, input, console) }
      }
      shown += 1
    }
    return shown > 0 ? .done : .nothingToDo
  }

  /// A media segment after its initialization segment, and the size of the latter.
  private func whole(_ input: Input) throws -> (Input, Int) {
    guard let beginning else { return (input, 0) }
    let source = try openInput(beginning, limit: limits.limits.pipe)
    var input = input
    input.source = try AppendedSource(source, input.source)
    return (input, source.count)
  }

  private func measured(_ overview: Overview, _ input: Input)
    -> Result<[PlaybackMeasure], any Error>
  {
    var measures: [PlaybackMeasure] = []
    if overview.picture != nil {
      measures.append(.picture(of: input.source, limits: limits.limits))
      if overview.tracks.isEmpty { return .success(measures) }
    }
    do {
      return .success(measures + (try PlaybackMeasure.all(of: try input.media(limits.limits))))
    } catch {
      guard !measures.isEmpty else { return .failure(error) }
      var rest = PlaybackMeasure(track: "tracks")
      rest.reason = MediaError(error).message
      return .success(measures + [rest])
    }
  }

  private func draw(_ overview: Overview, _ input: Input, _ console: Console) throws {
    var output = ResultStream(console: console)
    var strip = PictureStrip(width: console.width, palette: Palette(console))
    if overview.stream != nil {
      strip.largest = overview.stream?.largestPicture ?? 0
      output.write("\n")
      var count = 0
      try StreamPictures.forEach(in: input.source, limits: limits.limits) { picture in
        count += 1
        if count <= limits.limits.pictures { strip.add(picture, to: &output) }
      }
      strip.finish(to: &output)
      let rest = count - limits.limits.pictures
      if rest > 0 {
        output.write("and \(rest) more; the limit pictures is \(count - rest)\n")
      }
      return
    }
    guard overview.kind == .isoBMFF else { return }
    let movie = Movie(try BoxTree(reading: input.source, limits: limits.limits))
    for (track, facts) in zip(movie.tracks, overview.tracks) where facts.video != nil {
      output.write("\ntrack \(track.id)\n")
      strip.largest = facts.samples.largest
      var pictures = TrackPictures(of: track, in: input.source)
      var count = 0
      let most = min(facts.samples.count, limits.limits.pictures)
      // What lies beyond the end of the file, or beyond broken tables, is reported above.
      while count < most, let picture = try pictures.next() {
        strip.add(picture, to: &output)
        count += 1
      }
      strip.finish(to: &output)
      let rest = facts.samples.count - count
      if count == limits.limits.pictures, rest > 0 {
        output.write("and \(rest) more; the limit pictures is \(count)\n")
      }
    }
  }
}

extension Overview {
  /// Makes offsets relative to the segment instead of the initialization segment.
  fileprivate mutating func leaveOut(first count: Int) {
    guard count > 0 else { return }
    size -= count
    for index in findings.indices {
      if findings[index].offset >= count {
        findings[index].offset -= count
      } else {
        findings[index].path = "INIT/" + findings[index].path
      }
    }
  }
}
