// SPDX-License-Identifier: MIT

internal import Media

extension MediaPlaylist {
  /// The playlist as it is written.
  public var text: String {
    var lines = ["#EXTM3U", "#EXT-X-VERSION:\(version)"]
    if hasIndependentSegments { lines.append("#EXT-X-INDEPENDENT-SEGMENTS") }
    lines.append("#EXT-X-TARGETDURATION:\(targetDuration)")
    lines.append("#EXT-X-MEDIA-SEQUENCE:\(mediaSequence)")
    if discontinuitySequence != 0 {
      lines.append("#EXT-X-DISCONTINUITY-SEQUENCE:\(discontinuitySequence)")
    }
    if let kind { lines.append("#EXT-X-PLAYLIST-TYPE:\(kind.rawValue)") }
    if isKeyFramesOnly { lines.append("#EXT-X-I-FRAMES-ONLY") }
    var header: Header?
    var encryption: String?
    for segment in segments {
      if segment.isDiscontinuous { lines.append("#EXT-X-DISCONTINUITY") }
      if segment.encryption != encryption {
        lines.append("#EXT-X-KEY:METHOD=\(segment.encryption ?? "NONE")")
        encryption = segment.encryption
      }
      if let next = segment.header, next != header {
        var map = AttributeList()
        map.add("URI", quoted: next.name)
        map.add("BYTERANGE", quoted: next.range?.text)
        lines.append("#EXT-X-MAP:\(map.text)")
        header = next
      }
      lines += segment.lines
    }
    if isEnded { lines.append("#EXT-X-ENDLIST") }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension MediaPlaylist.Segment {
  fileprivate var lines: [String] {
    var lines: [String] = []
    if let date { lines.append("#EXT-X-PROGRAM-DATE-TIME:\(date)") }
    if isGap { lines.append("#EXT-X-GAP") }
    lines.append("#EXTINF:\(PlaylistDecimal.text(duration)),\(title)")
    if let range { lines.append("#EXT-X-BYTERANGE:\(range.text)") }
    lines.append(name)
    return lines
  }
}
