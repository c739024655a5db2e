// SPDX-License-Identifier: MIT

internal import ApusMedia

extension MultivariantPlaylist {
  /// The text of the playlist.
  public var text: String {
    var lines = ["#EXTM3U", "#EXT-X-VERSION:\(version)"]
    if hasIndependentSegments { lines.append("#EXT-X-INDEPENDENT-SEGMENTS") }
    lines += renditions.map { "#EXT-X-MEDIA:\($0.attributes.text)" }
    for variant in variants {
      lines += ["#EXT-X-STREAM-INF:\(variant.attributes.text)", variant.name]
    }
    for variant in keyFrameVariants {
      var attributes = variant.attributes
      attributes.add("URI", quoted: variant.name)
      lines.append("#EXT-X-I-FRAME-STREAM-INF:\(attributes.text)")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension MultivariantPlaylist.Rendition {
  fileprivate var attributes: AttributeList {
    var list = AttributeList()
    list.add("TYPE", kind.rawValue)
    list.add("GROUP-ID", quoted: group)
    list.add("NAME", quoted: title)
    list.add("LANGUAGE", quoted: language)
    list.add("DEFAULT", isDefault ? "YES" : "NO")
    list.add("AUTOSELECT", isAutomatic ? "YES" : "NO")
    if isForced { list.add("FORCED", "YES") }
    list.add("CHARACTERISTICS", quoted: characteristics)
    list.add("CHANNELS", quoted: channels)
    list.add("INSTREAM-ID", quoted: instream)
    list.add("URI", quoted: name)
    return list
  }
}

extension MultivariantPlaylist.Variant {
  fileprivate var attributes: AttributeList {
    var list = AttributeList()
    list.add("BANDWIDTH", "\(bandwidth)")
    list.add("AVERAGE-BANDWIDTH", averageBandwidth.map { "\($0)" })
    list.add("CODECS", quoted: codecs.isEmpty ? nil : codecs.joined(separator: ","))
    list.add(
      "SUPPLEMENTAL-CODECS",
      quoted: supplementalCodecs.isEmpty ? nil : supplementalCodecs.joined(separator: ","))
    list.add("RESOLUTION", size.map { "\($0.width)x\($0.height)" })
    list.add("FRAME-RATE", frameRate.map(PlaylistDecimal.text))
    list.add("VIDEO-RANGE", videoRange)
    list.add("AUDIO", quoted: audio)
    list.add("VIDEO", quoted: video)
    list.add("SUBTITLES", quoted: subtitles)
    // `NONE` is written without quotes, the name of a group with them.
    if closedCaptions == "NONE" {
      list.add("CLOSED-CAPTIONS", "NONE")
    } else {
      list.add("CLOSED-CAPTIONS", quoted: closedCaptions)
    }
    return list
  }
}
