// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia

/// Collects the contents of the lines of a media playlist: RFC 8216, 4.3.2 and 4.3.3.
struct MediaPlaylistReader {
  static let tags: Set<String> = [
    "EXTINF", "EXT-X-TARGETDURATION", "EXT-X-MEDIA-SEQUENCE", "EXT-X-DISCONTINUITY-SEQUENCE",
    "EXT-X-PLAYLIST-TYPE", "EXT-X-I-FRAMES-ONLY", "EXT-X-ENDLIST", "EXT-X-BYTERANGE",
    "EXT-X-DISCONTINUITY", "EXT-X-KEY", "EXT-X-MAP", "EXT-X-PROGRAM-DATE-TIME", "EXT-X-GAP",
    "EXT-X-PART-INF", "EXT-X-SERVER-CONTROL", "EXT-X-PART", "EXT-X-PRELOAD-HINT",
    "EXT-X-RENDITION-REPORT", "EXT-X-SKIP",
  ]

  private var playlist = MediaPlaylist()
  private var hasTarget = false
  /// The properties of the next segment, from tags since the last name.
  private var duration: RationalTime?
  private var title = ""
  private var range: PlaylistByteRange?
  private var isDiscontinuous = false
  private var isGap = false
  private var date: String?
  private var parts: [PartialSegment] = []
  /// The properties of all segments that follow.
  private var header: MediaPlaylist.Header?
  private var encryption: String?
  private var target: RationalTime?
  private var holdBack: RationalTime?
  private var canBlockReload = false

  mutating func read(_ tag: Substring, _ line: PlaylistLine) throws(SyntaxError) {
    switch tag {
    case "EXTINF": try readDuration(line)
    case "EXT-X-TARGETDURATION":
      playlist.targetDuration = try line.integer()
      hasTarget = true
    case "EXT-X-MEDIA-SEQUENCE": playlist.mediaSequence = try line.integer()
    case "EXT-X-DISCONTINUITY-SEQUENCE": playlist.discontinuitySequence = try line.integer()
    case "EXT-X-PLAYLIST-TYPE": playlist.kind = MediaPlaylist.Kind(rawValue: String(line.value))
    case "EXT-X-I-FRAMES-ONLY": playlist.isKeyFramesOnly = true
    case "EXT-X-ENDLIST": playlist.isEnded = true
    case "EXT-X-BYTERANGE": range = try PlaylistByteRange(line.value, line)
    case "EXT-X-DISCONTINUITY": isDiscontinuous = true
    case "EXT-X-GAP": isGap = true
    case "EXT-X-PROGRAM-DATE-TIME": date = String(line.value)
    case "EXT-X-KEY":
      guard let method = try line.attributes()["METHOD"] else {
        throw line.refusal("EXT-X-KEY", "has no METHOD")
      }
      guard method.utf8.allSatisfy({ (0x30...0x7a).contains($0) || $0 == 0x2d }) else {
        throw line.refusal("METHOD", "is \(method), which is not a name")
      }
      encryption = method == "NONE" ? nil : method
    case "EXT-X-MAP":
      let attributes = try line.attributes()
      guard let name = attributes["URI"] else {
        throw line.refusal("EXT-X-MAP", "has no URI")
      }
      var map = MediaPlaylist.Header(name)
      if let text = attributes["BYTERANGE"] { map.range = try PlaylistByteRange(text, line) }
      header = map
    case "EXT-X-PART": parts.append(try PartialSegment(line))
    case "EXT-X-SKIP": try readSkip(line)
    default: try readTiming(tag, line)
    }
  }

  /// Reads the properties of parts as a whole: RFC 8216bis, 4.4.3.7, 4.4.3.8, 4.4.5.3 and 4.4.5.4.
  private mutating func readTiming(_ tag: Substring, _ line: PlaylistLine) throws(SyntaxError) {
    switch tag {
    case "EXT-X-PART-INF":
      target = try line.attributes().seconds("PART-TARGET", line)
      guard target != nil else { throw line.refusal("EXT-X-PART-INF", "has no PART-TARGET") }
    case "EXT-X-SERVER-CONTROL":
      let attributes = try line.attributes()
      holdBack = try attributes.seconds("PART-HOLD-BACK", line)
      canBlockReload = attributes.flag("CAN-BLOCK-RELOAD")
      playlist.skipBoundary = try attributes.seconds("CAN-SKIP-UNTIL", line)
    case "EXT-X-PRELOAD-HINT":
      let attributes = try line.attributes()
      if attributes["TYPE"] == "PART" { playlist.partHint = attributes["URI"] }
    case "EXT-X-RENDITION-REPORT":
      let attributes = try line.attributes()
      guard let name = attributes["URI"] else {
        throw line.refusal("EXT-X-RENDITION-REPORT", "has no URI")
      }
      playlist.renditionReports.append(
        RenditionReport(
          name, lastSegment: try attributes.integer("LAST-MSN", line),
          lastPart: try attributes.integer("LAST-PART", line)))
    default: break
    }
  }

  /// Reads the number of omitted segments: RFC 8216bis, 4.4.5.2.
  private mutating func readSkip(_ line: PlaylistLine) throws(SyntaxError) {
    guard let count = try line.attributes().integer("SKIPPED-SEGMENTS", line) else {
      throw line.refusal("EXT-X-SKIP", "has no SKIPPED-SEGMENTS")
    }
    guard playlist.segments.isEmpty, duration == nil, parts.isEmpty, playlist.skippedSegments == 0
    else { throw line.refusal("EXT-X-SKIP", "follows a segment, or another EXT-X-SKIP") }
    playlist.skippedSegments = count
  }

  private mutating func readDuration(_ line: PlaylistLine) throws(SyntaxError) {
    let value = line.value
    let comma = value.utf8.firstIndex(of: UInt8(ascii: ","))
    let text = comma.map { value[..<$0] } ?? value
    guard let read = PlaylistDecimal.read(text) else {
      throw line.refusal("EXTINF", "is \(text), allowed are seconds such as 6 or 5.96")
    }
    duration = read
    title = comma.map { String(value[value.utf8.index(after: $0)...]) } ?? ""
  }

  mutating func name(_ line: PlaylistLine) throws(SyntaxError) {
    guard let duration else {
      throw line.refusal("segment", "\(line.text) has no EXTINF")
    }
    playlist.segments.append(segment(String(line.text), duration))
    (self.duration, title, range, date) = (nil, "", nil, nil)
    (isDiscontinuous, isGap, parts) = (false, false, [])
  }

  /// Returns the segment described by all tags since the last name.
  private func segment(_ name: String, _ duration: RationalTime) -> MediaPlaylist.Segment {
    var segment = MediaPlaylist.Segment(name, duration: duration)
    segment.title = title
    segment.range = range
    segment.header = header
    segment.isDiscontinuous = isDiscontinuous
    segment.encryption = encryption
    segment.date = date
    segment.isGap = isGap
    segment.parts = parts
    return segment
  }

  func finished(_ common: CommonTags) throws(SyntaxError) -> MediaPlaylist {
    var result = playlist
    result.version = common.version
    result.hasIndependentSegments = common.hasIndependentSegments
    if let target {
      var timing = PartTiming(target: target)
      (timing.holdBack, timing.canBlockReload) = (holdBack, canBlockReload)
      result.partTiming = timing
    }
    if !parts.isEmpty {
      var growing = segment("", RationalTime(0, per: 1))
      (growing.title, growing.range, growing.isGap) = ("", nil, false)
      result.growing = growing
    }
    if !hasTarget {
      result.targetDuration = MediaPlaylist.targetDuration(of: result.segments.map(\.duration))
    }
    return result
  }
}

extension PartialSegment {
  fileprivate init(_ line: PlaylistLine) throws(SyntaxError) {
    let attributes = try line.attributes()
    guard let name = attributes["URI"],
      let duration = try attributes.seconds("DURATION", line)
    else { throw line.refusal("EXT-X-PART", "has no URI or no DURATION") }
    self.init(name, duration: duration)
    if let text = attributes["BYTERANGE"] { range = try PlaylistByteRange(text, line) }
    isIndependent = attributes.flag("INDEPENDENT")
    isGap = attributes.flag("GAP")
  }
}

extension AttributeList {
  /// Returns a duration, in seconds with a fraction.
  fileprivate func seconds(_ name: String, _ line: PlaylistLine) throws(SyntaxError)
    -> RationalTime?
  {
    guard let text = self[name] else { return nil }
    guard let time = PlaylistDecimal.read(text) else {
      throw line.refusal(name, "is \(text), allowed are seconds such as 1 or 0.33")
    }
    return time
  }
}
