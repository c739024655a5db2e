// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples
internal import HLS

extension MultivariantPlaylist {
  /// Lists every video with the sound of every codec, each codec being a group; without video the sound alone.
  init(_ report: HLSReport, prefix: String) {
    self.init()
    hasIndependentSegments = report.renditions.allSatisfy(\.isIndependent)
    func name(_ name: String) -> String { prefix + name.utf8.percentEncoded(allowing: "/") }
    let videos = report.renditions.filter(\.isVideo)
    let sounds = report.renditions.filter { $0.kind == .audio }
    let texts = report.renditions.filter { $0.kind == .subtitles }
    let textRate = texts.map(\.peakRate).max() ?? 0
    addSubtitles(texts, name)
    let groups = SoundGroups(sounds)
    // A choice of one needs no group.
    let hasChoice = groups.groups.contains { $0.count > 1 }
    if hasChoice || !videos.isEmpty { addSounds(groups, name) }
    guard !videos.isEmpty else {
      addSoundAlone(groups, texts, name, hasChoice: hasChoice)
      return
    }
    addCaptions(videos)
    let isSilent = videos.allSatisfy { $0.captions == [] }
    for (number, group) in (groups.groups.isEmpty ? [[]] : groups.groups).enumerated() {
      let codecs = group.flatMap(\.sound.allCodecs)
      for video in videos {
        var variant = Variant(
          name(video.name),
          bandwidth: video.peakRate + textRate + (group.map(\.sound.peakRate).max() ?? 0))
        variant.averageBandwidth =
          video.averageRate + (group.map(\.sound.averageRate).max() ?? 0)
          + (texts.map(\.averageRate).max() ?? 0)
        variant.codecs = (video.allCodecs + codecs).unique
        variant.supplementalCodecs = video.supplementalCodecs
        variant.size = video.size
        variant.frameRate = video.frameRate
        variant.videoRange = video.videoRange?.rawValue
        variant.audio = group.isEmpty ? nil : "audio-\(number + 1)"
        variant.subtitles = texts.isEmpty ? nil : Self.subtitles
        // The absence of captions is declared only if every picture was searched.
        variant.closedCaptions =
          isSilent ? "NONE" : video.captions?.isEmpty == false ? Self.captions : nil
        variants.append(variant)
      }
    }
    for video in videos {
      guard let winding = video.keyFramePlaylist else { continue }
      var variant = Variant(name(winding.name), bandwidth: winding.peakRate)
      variant.averageBandwidth = winding.averageRate
      variant.codecs = video.allCodecs
      variant.supplementalCodecs = video.supplementalCodecs
      variant.size = video.size
      variant.videoRange = video.videoRange?.rawValue
      keyFrameVariants.append(variant)
    }
  }

  /// Adds a variant for each codec, of which a player chooses one; of its members a listener does.
  private mutating func addSoundAlone(
    _ groups: SoundGroups, _ texts: [HLSReport.Rendition], _ name: (String) -> String,
    hasChoice: Bool
  ) {
    for (number, group) in groups.groups.enumerated() {
      guard let first = group.first(where: { $0.title == groups.chosen }) ?? group.first else {
        continue
      }
      let peak = group.map(\.sound.peakRate).max() ?? 0
      var variant = Variant(
        name(first.sound.name), bandwidth: peak + (texts.map(\.peakRate).max() ?? 0))
      variant.averageBandwidth =
        (group.map(\.sound.averageRate).max() ?? 0) + (texts.map(\.averageRate).max() ?? 0)
      variant.codecs = group.flatMap(\.sound.allCodecs).unique
      variant.audio = hasChoice ? "audio-\(number + 1)" : nil
      variant.subtitles = texts.isEmpty ? nil : Self.subtitles
      variants.append(variant)
    }
  }

  private static var subtitles: String { "subtitles" }
  private static var captions: String { "captions" }

  /// Adds the channels of closed captions in any of the videos, which are the same pictures.
  private mutating func addCaptions(_ videos: [HLSReport.Rendition]) {
    for (number, channel) in videos.flatMap({ $0.captions ?? [] }).unique.enumerated() {
      var rendition = Rendition(.closedCaptions, group: Self.captions, title: channel)
      // A player may choose only one of those that it cannot tell apart.
      rendition.isAutomatic = number == 0
      rendition.instream = channel
      renditions.append(rendition)
    }
  }

  private mutating func addSounds(_ groups: SoundGroups, _ name: (String) -> String) {
    for (number, group) in groups.groups.enumerated() {
      for member in group {
        let sound = member.sound
        var rendition = Rendition(.audio, group: "audio-\(number + 1)", title: member.title)
        rendition.language = LanguageTag.of(sound.language)
        rendition.isDefault = member.title == groups.chosen
        rendition.isAutomatic = rendition.isDefault || !sound.roles.contains(.comment)
        if sound.roles.contains(.visualImpaired) || sound.roles.contains(.descriptions) {
          rendition.characteristics = "public.accessibility.describes-video"
        }
        rendition.channels = sound.channels
        rendition.name = name(sound.name)
        renditions.append(rendition)
      }
    }
  }

  private mutating func addSubtitles(
    _ texts: [HLSReport.Rendition], _ name: (String) -> String
  ) {
    var titles = RenditionTitles()
    for (number, text) in texts.enumerated() {
      let title = titles.title(of: text, word: "Subtitles", number: number + 1)
      var rendition = Rendition(.subtitles, group: Self.subtitles, title: title)
      rendition.language = LanguageTag.of(text.language)
      rendition.isForced = text.roles.contains(.forced)
      rendition.isDefault =
        text.roles.contains(.chosen) && !rendition.isForced
        && !renditions.contains { $0.kind == .subtitles && $0.isDefault }
      // A player shows those in the user's language automatically.
      rendition.isAutomatic = rendition.isDefault || !text.roles.contains(.comment)
      if text.roles.contains(.hearingImpaired) || text.roles.contains(.captions) {
        rendition.characteristics =
          "public.accessibility.transcribes-spoken-dialog,"
          + "public.accessibility.describes-music-and-sound"
      }
      rendition.name = name(text.name)
      renditions.append(rendition)
    }
  }
}

extension HLSReport.Rendition {
  fileprivate var allCodecs: [String] { ([codec] + earlierCodecs).unique }
}

extension [String] {
  /// The elements without repetitions, in the order of their first occurrence.
  fileprivate var unique: [String] {
    reduce(into: []) { unique, one in if !unique.contains(one) { unique.append(one) } }
  }
}
