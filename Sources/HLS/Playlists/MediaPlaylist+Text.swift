// SPDX-License-Identifier: MIT

internal import ApusMedia

extension MediaPlaylist {
  /// The text of the playlist.
  public var text: String {
    var lines = ["#EXTM3U", "#EXT-X-VERSION:\(version)"]
    if hasIndependentSegments { lines.append("#EXT-X-INDEPENDENT-SEGMENTS") }
    lines.append("#EXT-X-TARGETDURATION:\(targetDuration)")
    lines += controlLines
    lines.append("#EXT-X-MEDIA-SEQUENCE:\(mediaSequence)")
    if discontinuitySequence != 0 {
      lines.append("#EXT-X-DISCONTINUITY-SEQUENCE:\(discontinuitySequence)")
    }
    if let kind { lines.append("#EXT-X-PLAYLIST-TYPE:\(kind.rawValue)") }
    if isKeyFramesOnly { lines.append("#EXT-X-I-FRAMES-ONLY") }
    if skippedSegments > 0 { lines.append("#EXT-X-SKIP:SKIPPED-SEGMENTS=\(skippedSegments)") }
    var common = SegmentTags()
    for segment in segments {
      lines += common.lines(of: segment) + segment.lines
    }
    if let growing { lines += common.lines(of: growing) }
    if let partHint {
      var hint = AttributeList()
      hint.add("TYPE", "PART")
      hint.add("URI", quoted: partHint)
      lines.append("#EXT-X-PRELOAD-HINT:\(hint.text)")
    }
    lines += renditionReports.map { "#EXT-X-RENDITION-REPORT:\($0.attributes.text)" }
    if isEnded { lines.append("#EXT-X-ENDLIST") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The tags about the server's features and the duration of parts.
  private var controlLines: [String] {
    var control = AttributeList()
    if partTiming?.canBlockReload == true { control.add("CAN-BLOCK-RELOAD", "YES") }
    control.add("CAN-SKIP-UNTIL", skipBoundary.map(PlaylistDecimal.text))
    control.add("PART-HOLD-BACK", partTiming?.holdBack.map(PlaylistDecimal.text))
    let parts = partTiming.map { "#EXT-X-PART-INF:PART-TARGET=\(PlaylistDecimal.text($0.target))" }
    let lines = control.text.isEmpty ? [] : ["#EXT-X-SERVER-CONTROL:\(control.text)"]
    return lines + [parts].compactMap(\.self)
  }
}

/// The tags before a segment, which are only repeated when they change.
private struct SegmentTags {
  private var header: MediaPlaylist.Header?
  private var encryption: String?

  mutating func lines(of segment: MediaPlaylist.Segment) -> [String] {
    var lines: [String] = []
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
    if let date = segment.date { lines.append("#EXT-X-PROGRAM-DATE-TIME:\(date)") }
    return lines + segment.parts.map { "#EXT-X-PART:\($0.attributes.text)" }
  }
}

extension MediaPlaylist.Segment {
  fileprivate var lines: [String] {
    var lines: [String] = []
    if isGap { lines.append("#EXT-X-GAP") }
    lines.append("#EXTINF:\(PlaylistDecimal.text(duration)),\(title)")
    if let range { lines.append("#EXT-X-BYTERANGE:\(range.text)") }
    lines.append(name)
    return lines
  }
}

extension PartialSegment {
  fileprivate var attributes: AttributeList {
    var list = AttributeList()
    list.add("DURATION", PlaylistDecimal.text(duration))
    list.add("URI", quoted: name)
    list.add("BYTERANGE", quoted: range?.text)
    if isIndependent { list.add("INDEPENDENT", "YES") }
    if isGap { list.add("GAP", "YES") }
    return list
  }
}

extension RenditionReport {
  fileprivate var attributes: AttributeList {
    var list = AttributeList()
    list.add("URI", quoted: name)
    list.add("LAST-MSN", lastSegment.map { "\($0)" })
    list.add("LAST-PART", lastPart.map { "\($0)" })
    return list
  }
}
