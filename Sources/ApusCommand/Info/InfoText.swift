// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFacts
import ApusMedia
import ApusRecords
import HEVC

/// The facts of one file as text, one subject a line.
struct InfoText {
  var palette = Palette()
  /// One screen holds no more; of several files one finding each is shown.
  var shownFindings = 12

  func write<Output: TextOutputStream>(
    _ overview: Overview, file: String, to output: inout Output
  ) {
    output.write("\(palette.paint(file.printable, .bold))\n")
    writeFacts(overview, to: &output)
    writeFindings(overview, to: &output)
  }

  /// Writes everything except the name and the findings.
  func writeFacts<Output: TextOutputStream>(_ overview: Overview, to output: inout Output) {
    line("kind", kind(of: overview), to: &output)
    let exact = overview.size < 1000 ? "" : " (\(overview.size) bytes)"
    line("size", Quantity.bytes(overview.size) + exact, to: &output)
    if let traits = self.traits(overview.traits) { line("traits", traits, to: &output) }
    if let duration = overview.duration {
      var text = Quantity.time(duration)
      if let shown = overview.presentationDuration, abs(shown - duration) >= 0.001 {
        text += ", \(Quantity.time(shown)) of it shown"
      }
      line("duration", text, to: &output)
    }
    if let time = overview.stillImageTime {
      line("picture", "taken at \(Quantity.time(time)) in the video", to: &output)
    }
    write(overview.origin, to: &output)
    for tag in overview.tags.prefix(Self.shownTags) { line(tag.name, tag.value, to: &output) }
    if !overview.chapters.isEmpty {
      let names = overview.chapters.prefix(8).map { "\(Quantity.time($0.start)) \($0.title)" }
      let rest = overview.chapters.count - names.count
      let more = rest > 0 ? [" and \(rest) more"] : []
      line("chapters", (names + more).joined(separator: "; "), to: &output)
    }
    for track in overview.tracks { write(track, to: &output) }
    if let picture = overview.picture { write(picture, to: &output) }
    if let map = overview.gainMap { line("HDR", text(of: map), to: &output) }
    if let bytes = overview.motionVideo { line("motion video", Quantity.bytes(bytes), to: &output) }
    if let facts = overview.credentials { line("credentials", text(of: facts), to: &output) }
    if let stream = overview.stream { write(stream, to: &output) }
    for note in overview.notes { line("note", note, to: &output) }
    if overview.kind == .isoBMFF, overview.tracks.isEmpty, overview.picture == nil {
      line("contents", contents(of: overview), to: &output)
    }
  }

  private func writeFindings<Output: TextOutputStream>(
    _ overview: Overview, to output: inout Output
  ) {
    for finding in overview.findings.prefix(shownFindings) {
      let place = (finding.path.isEmpty ? "" : finding.path + " ") + "at byte \(finding.offset)"
      output.write(
        "\(palette.severity(finding.severity)) \(place.printable): \(finding.message.printable) [\(finding.rule)]\n"
      )
    }
    let hidden = overview.findings.count - shownFindings
    guard hidden > 0 else { return }
    let way =
      shownFindings == 1
      ? "--verbose lists them" : "apus inspect and apus hvcc check show all"
    output.write("… and \(hidden) more; \(way)\n")
  }

  /// The kind of playback, the traits it has, and the unknown ones; `nil` unless it is a picture or video.
  private func traits(_ traits: MediaTraits) -> String? {
    guard traits.kind == .image || traits.kind == .video else { return nil }
    var parts = [Self.playbacks[traits.playback] ?? traits.playback.rawValue]
    let named = traits.answers.map { ($0.name.with(" ", for: "_"), $0.answer) }
    parts += named.filter { $0.1 == .yes }.map(\.0)
    let unknown = named.filter { $0.1 == .unknown }.map(\.0)
    if !unknown.isEmpty { parts.append("unknown: \(unknown.joined(separator: ", "))") }
    return parts.joined(separator: "; ")
  }

  private static let playbacks: [MediaTraits.Playback: String] = [
    .image: "a picture", .animated: "an animation", .livePhoto: "a Live Photo or motion photo",
    .video: "a video", .looping: "a loop", .unsupported: "not supported",
  ]

  private static let shownTags = 24

  /// The contents of a file without tracks and items.
  private func contents(of overview: Overview) -> String {
    let boxes = overview.boxes
    if boxes.contains("mini") { return "a minimized picture (mini)" }
    if boxes.contains("moof") { return "movie fragments; their moov is in another file" }
    let list = boxes.prefix(8).map(\.description).joined(separator: " ")
    return boxes.isEmpty
      ? "no boxes" : "no tracks and no items, boxes \(list)\(boxes.count > 8 ? " …" : "")"
  }

  /// The maximum number of compatible brands that are shown; cameras write fewer than ten.
  private static let shownBrands = 16

  private func kind(of overview: Overview) -> String {
    var text = overview.kind.description
    if overview.kind == .annexB, overview.stream == nil { text = "a bare H.264 stream (Annex B)" }
    if overview.stream?.codec != nil { text = "a bare HEVC stream (Annex B)" }
    if overview.isFragmented { text += ", fragmented" }
    guard let major = overview.brands.first else { return text }
    let others = overview.brands.dropFirst().filter { $0 != major }
    text += ", brand \(major)"
    guard !others.isEmpty else { return text }
    // A damaged size makes a list of everything that follows.
    let shown = others.prefix(Self.shownBrands).map(\.description)
    let rest = others.count > shown.count ? ["and \(others.count - shown.count) more"] : []
    return text + " (\((shown + rest).joined(separator: " ")))"
  }

  func write<Output: TextOutputStream>(_ origin: OriginFacts, to output: inout Output) {
    if let writer = origin.writer { line("writer", writer, to: &output) }
    let camera = [origin.make, origin.model, origin.software].compactMap(\.self)
    if !camera.isEmpty { line("camera", camera.joined(separator: ", "), to: &output) }
    if let created = origin.created { line("created", created, to: &output) }
    if let place = origin.place { line("location", place, to: &output) }
  }

  private func write<Output: TextOutputStream>(_ track: TrackFacts, to output: inout Output) {
    var head = [track.codec ?? "no sample entry"]
    if let video = track.video { head.append(size(video)) }
    if let sound = track.sound {
      if let rate = sound.rate { head.append("\(rate.decimal()) Hz") }
      if let count = sound.channels { head.append(count == 1 ? "mono" : "\(count) channels") }
    }
    if track.video != nil, let rate = track.frameRate {
      head.append(Quantity.rate(rate) + (track.isConstantRate ? "" : " on average"))
    }
    if let rate = track.bitRate { head.append(Quantity.bitRate(rate)) }
    if track.language != "und" { head.append(track.language) }
    if let name = track.name { head.append("\"\(name)\"") }
    if let scheme = track.encryption {
      head.append("encrypted (\(scheme))")
      head += track.keyIDs.map { "key \($0)" } + track.protectionSystems
    }
    let kind = track.handler.map { " \(Self.handlers[$0] ?? $0.description)" } ?? ""
    line("track \(track.id)\(kind)", head.joined(separator: ", "), to: &output)
    for codec in track.supplementalCodecs { detail("also", codec, to: &output) }
    for description in track.descriptions.dropFirst() {
      let size = description.width > 0 ? ", \(description.width)x\(description.height)" : ""
      detail("also", "\(description.codec)\(size)", to: &output)
    }
    if let video = track.video { write(video, track.apple, to: &output) }
    if let encoder = track.encoder { detail("encoder", encoder, to: &output) }
    let count = track.samples.count
    var samples = [
      count == 1 ? "1 sample" : "\(count) samples", Quantity.bytes(track.samples.bytes),
    ]
    if let duration = track.duration { samples.append(Quantity.time(duration)) }
    if let shown = track.presentationDuration, abs(shown - (track.duration ?? 0)) >= 0.001 {
      samples.append("\(Quantity.time(shown)) shown")
    }
    detail("samples", samples.joined(separator: ", "), to: &output)
    guard track.video != nil, let length = track.groupLength else { return }
    let group = Group(
      keys: track.samples.keyCount, average: length, longest: track.samples.longestGroup,
      pictures: track.pictures, isAll: track.pictures.total == track.samples.count)
    write(group, to: &output)
  }

  private static let handlers: [FourCC: String] = [
    "vide": "video", "soun": "sound", "auxv": "auxiliary video", "pict": "pictures",
    "text": "text", "sbtl": "subtitles", "subt": "subtitles", "meta": "metadata",
    "tmcd": "time code", "hint": "hints", "clcp": "captions",
  ]

  private func write<Output: TextOutputStream>(
    _ video: VideoFacts, _ apple: AppleSubset?, to output: inout Output
  ) {
    write(video.format, to: &output)
    let colour = self.colour(video.colour)
    if !colour.isEmpty { detail("colour", colour, to: &output) }
    if let shape = shape(of: video) { detail("shape", shape, to: &output) }
    if let placed = placement(video.rotation, video.isMirrored, video.isTransformed) {
      detail("orientation", placed, to: &output)
    }
    write(apple, to: &output)
  }

  private func write<Output: TextOutputStream>(_ stream: StreamFacts, to output: inout Output) {
    guard let codec = stream.codec, let video = stream.video else {
      return line("stream", "contains no HEVC sequence parameter set", to: &output)
    }
    var head = [codec, size(video)]
    if let rate = stream.frameRate { head.append(Quantity.rate(rate)) }
    if let rate = stream.bitRate { head.append(Quantity.bitRate(rate)) }
    line("stream", head.joined(separator: ", "), to: &output)
    write(video, nil, to: &output)
    let units = stream.nalUnits.sorted { $0.key.rawValue < $1.key.rawValue }
    detail("NAL units", units.map { "\($1) \($0.name)" }.joined(separator: ", "), to: &output)
    detail(
      "samples", "\(stream.pictures.total) pictures, \(Quantity.bytes(stream.bytes))", to: &output)
    guard let length = stream.groupLength else { return }
    let group = Group(
      keys: stream.keyCount, average: length, longest: stream.longestGroup,
      pictures: stream.pictures, isAll: true)
    write(group, to: &output)
  }

  func write<Output: TextOutputStream>(_ format: CodedFormat, to output: inout Output) {
    var parts = [format.profile, format.level.map { "level \($0)" }, format.chroma]
    if format.tier == "High" { parts.insert("High tier", at: 1) }
    parts.append(format.bitDepth.map { "\($0) bits" })
    let text = parts.compactMap(\.self).joined(separator: ", ")
    if !text.isEmpty { detail("coding", text, to: &output) }
  }

  private struct Group {
    var keys: Int
    var average: Double
    var longest: Int
    var pictures: PictureCounts
    var isAll: Bool
  }

  private func write<Output: TextOutputStream>(_ group: Group, to output: inout Output) {
    var text =
      "\(group.keys) key \(group.keys == 1 ? "frame" : "frames"), \(group.average.decimal())"
      + " apart on average, \(group.longest) at most"
    let pictures = group.pictures
    if pictures.total > pictures.unknown {
      let counts = [
        (pictures.intra, "I"), (pictures.predicted, "P"), (pictures.bidirectional, "B"),
        (pictures.unknown, "unknown"),
      ]
      text += "; " + counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
      if !group.isAll { text += " in the first \(pictures.total)" }
    }
    detail("frames", text, to: &output)
  }

  func write<Output: TextOutputStream>(_ apple: AppleSubset?, to output: inout Output) {
    guard let apple else { return }
    detail(
      "Apple", apple.isMet ? "supported" : apple.reasons.joined(separator: "; "),
      to: &output)
  }
}
