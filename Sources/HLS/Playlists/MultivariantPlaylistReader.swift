// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia

/// Collects the contents of the lines of a multivariant playlist: RFC 8216, 4.3.4.
struct MultivariantPlaylistReader {
  static let tags: Set<String> = [
    "EXT-X-STREAM-INF", "EXT-X-MEDIA", "EXT-X-I-FRAME-STREAM-INF", "EXT-X-SESSION-DATA",
    "EXT-X-SESSION-KEY", "EXT-X-CONTENT-STEERING",
  ]

  private var playlist = MultivariantPlaylist()
  /// The variant whose name is on the next line.
  private var variant: MultivariantPlaylist.Variant?

  mutating func read(_ tag: Substring, _ line: PlaylistLine) throws(SyntaxError) {
    switch tag {
    case "EXT-X-STREAM-INF":
      variant = try MultivariantPlaylist.Variant(try line.attributes(), line)
    case "EXT-X-I-FRAME-STREAM-INF":
      let attributes = try line.attributes()
      guard let name = attributes["URI"] else {
        throw line.refusal("EXT-X-I-FRAME-STREAM-INF", "has no URI")
      }
      var keyFrames = try MultivariantPlaylist.Variant(attributes, line)
      keyFrames.name = name
      playlist.keyFrameVariants.append(keyFrames)
    case "EXT-X-MEDIA":
      playlist.renditions.append(
        try MultivariantPlaylist.Rendition(try line.attributes(), line))
    default: break
    }
  }

  mutating func name(_ line: PlaylistLine) throws(SyntaxError) {
    guard var variant else {
      throw line.refusal("variant", "\(line.text) has no EXT-X-STREAM-INF before it")
    }
    variant.name = String(line.text)
    playlist.variants.append(variant)
    self.variant = nil
  }

  func finished(_ common: CommonTags) throws(SyntaxError) -> MultivariantPlaylist {
    var result = playlist
    guard variant == nil, !result.variants.isEmpty || !result.renditions.isEmpty else {
      throw SyntaxError(
        .invalid, field: variant == nil ? "playlist" : "EXT-X-STREAM-INF",
        detail: variant == nil ? "has no variants" : "has no name after it")
    }
    result.version = common.version
    result.hasIndependentSegments = common.hasIndependentSegments
    return result
  }
}

extension AttributeList {
  /// Returns the parts of a value between commas.
  fileprivate func list(_ name: String) -> [String] {
    self[name]?.split(separator: ",").map { text in
      String(text.drop { $0 == " " })
    }.filter { !$0.isEmpty } ?? []
  }
}

extension MultivariantPlaylist.Variant {
  init(_ attributes: AttributeList, _ line: PlaylistLine) throws(SyntaxError) {
    guard let bandwidth = try attributes.integer("BANDWIDTH", line) else {
      throw line.refusal(String(line.tag ?? ""), "has no BANDWIDTH")
    }
    self.init("", bandwidth: bandwidth)
    averageBandwidth = try attributes.integer("AVERAGE-BANDWIDTH", line)
    codecs = attributes.list("CODECS")
    supplementalCodecs = attributes.list("SUPPLEMENTAL-CODECS")
    if let text = attributes["RESOLUTION"] {
      let parts = text.split(separator: "x", omittingEmptySubsequences: false)
      guard parts.count == 2, let width = Int(digits: parts[0]), let height = Int(digits: parts[1])
      else { throw line.refusal("RESOLUTION", "is \(text), allowed are such as 1920x1080") }
      size = MultivariantPlaylist.Size(width: width, height: height)
    }
    if let text = attributes["FRAME-RATE"] {
      guard let rate = PlaylistDecimal.read(text) else {
        throw line.refusal("FRAME-RATE", "is \(text), allowed are such as 29.97")
      }
      frameRate = rate
    }
    videoRange = attributes["VIDEO-RANGE"].flatMap { ["SDR", "HLG", "PQ"].contains($0) ? $0 : nil }
    audio = attributes["AUDIO"]
    video = attributes["VIDEO"]
    subtitles = attributes["SUBTITLES"]
    closedCaptions = attributes["CLOSED-CAPTIONS"]
  }
}

extension MultivariantPlaylist.Rendition {
  init(_ attributes: AttributeList, _ line: PlaylistLine) throws(SyntaxError) {
    guard let kind = attributes["TYPE"].flatMap(Kind.init), let group = attributes["GROUP-ID"]
    else {
      throw line.refusal("EXT-X-MEDIA", "has no known TYPE, or no GROUP-ID")
    }
    self.init(kind, group: group, title: attributes["NAME"] ?? "")
    language = attributes["LANGUAGE"]
    isDefault = attributes.flag("DEFAULT")
    isAutomatic = attributes.flag("AUTOSELECT")
    isForced = attributes.flag("FORCED")
    characteristics = attributes["CHARACTERISTICS"]
    channels = attributes["CHANNELS"]
    instream = attributes["INSTREAM-ID"]
    name = attributes["URI"]
  }
}
