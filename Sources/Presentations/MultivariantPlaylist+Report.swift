// SPDX-License-Identifier: MIT

internal import HLS
internal import Media

extension MultivariantPlaylist {
  /// Every video with the sound of every codec, which are groups of their own; without video each sound alone.
  init(_ report: HLSReport, prefix: String) {
    self.init()
    hasIndependentSegments = report.renditions.allSatisfy(\.isIndependent)
    let videos = report.renditions.filter(\.isVideo)
    let sounds = report.renditions.filter { !$0.isVideo }
    guard !videos.isEmpty else {
      variants = sounds.map { sound in
        var variant = Variant(Self.encoded(prefix + sound.name), bandwidth: sound.peakRate)
        variant.averageBandwidth = sound.averageRate
        variant.codecs = [sound.codec]
        return variant
      }
      return
    }
    var codecs: [String] = []
    for sound in sounds where !codecs.contains(sound.codec) { codecs.append(sound.codec) }
    var titles: Set<String> = []
    for (number, sound) in sounds.enumerated() {
      let place = codecs.firstIndex(of: sound.codec) ?? 0
      var rendition = Rendition(.audio, group: "audio-\(place + 1)", title: "")
      rendition.language = LanguageTag.of(sound.language)
      rendition.title = Self.title(of: sound, number: number, taken: &titles)
      rendition.isDefault = sounds.first { $0.codec == sound.codec }?.name == sound.name
      rendition.isAutomatic = true
      if sound.channels > 0 { rendition.channels = "\(sound.channels)" }
      rendition.name = Self.encoded(prefix + sound.name)
      renditions.append(rendition)
    }
    for codec in codecs.isEmpty ? [nil] : codecs.map(Optional.some) {
      let group = sounds.filter { $0.codec == codec }
      for video in videos {
        var variant = Variant(
          Self.encoded(prefix + video.name),
          bandwidth: video.peakRate + (group.map(\.peakRate).max() ?? 0))
        variant.averageBandwidth = video.averageRate + (group.map(\.averageRate).max() ?? 0)
        variant.codecs = [video.codec] + (codec.map { [$0] } ?? [])
        variant.size = video.size
        variant.frameRate = video.frameRate
        variant.videoRange = video.videoRange
        variant.audio = codec.flatMap { codecs.firstIndex(of: $0) }.map { "audio-\($0 + 1)" }
        variants.append(variant)
      }
    }
  }

  /// What tells it from all others: what the input calls it, or its language, or its number.
  private static func title(
    of sound: HLSReport.Rendition, number: Int, taken: inout Set<String>
  ) -> String {
    let language = sound.language == "und" ? nil : sound.language
    let told = sound.title.isEmpty ? language : sound.title
    if let told, taken.insert(told).inserted { return told }
    let numbered = told.map { "\($0) \(number + 1)" } ?? "Audio \(number + 1)"
    taken.insert(numbered)
    return numbered
  }

  /// Returns the name as a URI spells it: RFC 3986, 2.
  private static func encoded(_ name: String) -> String {
    var result = ""
    for byte in name.utf8 {
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte)
        || (0x61...0x7a).contains(byte) || [0x2d, 0x2e, 0x2f, 0x5f, 0x7e].contains(byte)
      if isPlain {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }
}
