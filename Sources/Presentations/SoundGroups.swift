// SPDX-License-Identifier: MIT

internal import Flow

/// Sound by codec: all groups offer the same choices under the same names, as RFC 8216, 4.3.4.1.1 asks. Where a choice is
/// not there in the codec of a group, the group has it in another.
struct SoundGroups {
  struct Member {
    var title: String
    var sound: HLSReport.Rendition
  }

  /// `audio-1` and so on, each with what it offers.
  private(set) var groups: [[Member]] = []
  /// The choice that is made unless a person makes another.
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
    // Sound that is there in one codec each makes the same group of all of them.
    var known: Set<[String]> = []
    groups = groups.filter { known.insert($0.map(\.sound.name)).inserted }
    chosen = (all.first { $0.sound.roles.contains(.chosen) } ?? all.first)?.title
  }

  /// The kinds of one codec are together: `mp4a.40.2` and `mp4a.40.5`.
  private static func family(of codec: String) -> String {
    codec.split(separator: ".").prefix(2).joined(separator: ".")
  }
}
