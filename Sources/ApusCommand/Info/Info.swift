// SPDX-License-Identifier: MIT

import Bytes
import Facts
import Files
import ISOBMFF
import Media
import Records
import Transcode

/// `apus info`: what a file is, on one screen.
struct Info: Verb {
  static let name = "info"
  static let summary =
    "say what a file is: codec, size, rate, colour, what may keep it from playing"
  static let discussion = """
    One screen a file: its kind and brands, its tracks or items with codec string, dimensions as shown, \
    frame rate, colour and dynamic range, rotation, duration, bit rate, distance of key frames, and \
    whether Apple's players take it (hvc1, Main or Main 10, 4:2:0). Below stands what is wrong with the \
    file.

    --gop draws a strip of the pictures in decoding order: how large each is, as a column; its type, I, P \
    or B; and a mark (^) below key frames. It reads only the beginning of each NAL unit.

    Facts come from parameter sets and samples; where a record or the container says otherwise, that is \
    reported below. What has no tables of its samples (FLV, transport streams, Matroska, AVI, bare \
    streams, playlists) is read to its end. Of a media segment, --init names the beginning that it needs.

    --measure gives two answers for each track, which are not the same: whether it can be decoded here, for \
    its first picture really is; and whether it plays in real time, for some of it is decoded against the \
    clock, for two seconds at most. Each is yes, no or unmeasured. Of photos the first is said.
    """
  static let examples = [
    Example("apus info movie.mp4", "Says what the file is."),
    Example("apus info --gop movie.mp4", "Draws the sizes and types of its pictures."),
    Example("apus info --measure movie.mp4", "Says whether this machine plays it."),
    Example("apus info --json photo.heic | jq .picture.primary.codec", "Gets the codec string."),
    Example("apus info --init init.mp4 segment.m4s", "Says what a segment of a stream is."),
    Example("apus info -r photos", "Says what every file in a folder and its folders is."),
  ]

  var inputs = InputOptions()
  var gop = false
  var measure = false
  var beginning: String?
  var json = false
  var limits = LimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.group(&inputs)
    try v.flag("gop", &gop, "draw the sizes and types of the pictures")
    try v.flag("measure", &measure, "decode, and say whether that works and keeps up with playing")
    try v.option(
      "init", "INIT", &beginning, completion: .files,
      "the initialization segment that every FILE, a media segment, needs")
    try v.json(&json)
    try v.group(&limits)
  }

  func run(_ console: Console) throws -> ExitStatus {
    var output = ResultStream(console: console)
    var shown = 0
    try inputs.opened(console, limits.limits).each { input in
      LastValues.forget()
      let (input, skipped) = try whole(input)
      var overview = try input.overview(limits.limits)
      overview.leaveOut(first: skipped)
      LastValues.keep(overview)
      let measures = measure ? measured(overview, input) : nil
      if json {
        var writer = JSONWriter(output)
        writer.facts(InfoAnswer(file: input.name, overview: overview, measures: measures))
        writer.endDocument()
      } else {
        if shown > 0 { output.write("\n") }
        InfoText(palette: Palette(console)).write(overview, file: input.name, to: &output)
        if let measures { MeasureText().write(measures, to: &output) }
        if gop { try draw(overview, input, console) }
      }
      shown += 1
    }
    return shown > 0 ? .done : .nothingToDo
  }

  /// A segment after the beginning that it needs, and how many bytes that has.
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
        output.write("and \(rest) more, beyond the limit pictures of \(count - rest)\n")
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
        output.write("and \(rest) more, beyond the limit pictures of \(count)\n")
      }
    }
  }
}

extension Overview {
  /// Counts bytes from the segment on rather than from the beginning that precedes it.
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
