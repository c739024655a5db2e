// SPDX-License-Identifier: MIT

internal import ApusSamples

/// Sound by codec: all groups offer the same choices under the same names, as RFC 8216, 4.3.4.1.1 requires. A choice
/// that is missing in the codec of a group is in that group with another codec.
struct SoundGroups {
  struct Member {
    var title: String
    var sound: HLSReport.Rendition
  }

  /// The groups `audio-1` and so on, each with its members.
  private(set) var groups: [[Member]] = []
  /// The choice that is made unless the user makes another.
  private(set) var chosen: String?

  init(_ sounds: [HLSReport.Rendition]) {
    var families: [String] = []
    for sound in sounds {
      let family = Self.family(of: sound.codec)
      if !families.contains(family) { families.append(family) }
    }
    var titles: [String] = []
    for family in families {
      var names = RenditionTitles()
      var group: [Member] = []
      for sound in sounds where Self.family(of: sound.codec) == family {
        let title = names.title(of: sound, word: "Audio", number: group.count + 1)
        group.append(Member(title: title, sound: sound))
        if !titles.contains(title) { titles.append(title) }
      }
      groups.append(group)
    }
    let all = groups.flatMap(\.self)
    for index in groups.indices {
      groups[index] = titles.compactMap { title in
        groups[index].first { $0.title == title } ?? all.first { $0.title == title }
      }
    }
    // If each sound exists in one codec only, all codecs lead to the same group.
    var known: Set<[String]> = []
    groups = groups.filter { known.insert($0.map(\.sound.name)).inserted }
    chosen = (all.first { $0.sound.roles.contains(.chosen) } ?? all.first)?.title
  }

  /// Returns the part of a codec string that is common to the kinds of a codec: `mp4a.40.2` and `mp4a.40.5`.
  private static func family(of codec: String) -> String {
    codec.split(separator: ".").prefix(2).joined(separator: ".")
  }
}
