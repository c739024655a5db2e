// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import HLS

/// The rules for renditions and their groups.
extension PresentationRule {
  static let groupRules: [PresentationRule] = [
    PresentationRule(
      "groups", "RFC 8216, 4.3.4.2", .error, "every group that a variant refers to exists"
    ) { context in
      guard let multivariant = context.multivariant else { return [] }
      return multivariant.variants.flatMap { variant -> [PresentationRemark] in
        let named: [(String?, MultivariantPlaylist.Rendition.Kind)] = [
          (variant.audio, .audio), (variant.video, .video), (variant.subtitles, .subtitles),
          (variant.closedCaptions == "NONE" ? nil : variant.closedCaptions, .closedCaptions),
        ]
        return named.compactMap { group, kind in
          guard let group, context.members(group, kind).isEmpty else { return nil }
          return PresentationRemark(
            variant.name, "refers to the \(kind.rawValue) group \(group), which does not exist")
        }
      }
    },
    PresentationRule(
      "group-members", "RFC 8216, 4.3.4.1.1", .warning,
      "groups of one type offer the same names"
    ) { context in
      guard let multivariant = context.multivariant else { return [] }
      var first: [MultivariantPlaylist.Rendition.Kind: (group: String, names: Set<String>)] = [:]
      return groups(of: multivariant).compactMap { group, members in
        let names = Set(members.map(\.title))
        guard let kind = members.first?.kind, let other = first[kind] else {
          if let kind = members.first?.kind { first[kind] = (group, names) }
          return nil
        }
        guard names != other.names else { return nil }
        return PresentationRemark(
          context.name,
          "the group \(group) has \(names.sorted().joined(separator: ", ")), the group \(other.group) "
            + other.names.sorted().joined(separator: ", "))
      }
    },
    PresentationRule(
      "names", "RFC 8216, 4.3.4.1", .error,
      "renditions of a group have different NAMEs, and at most one is the default, with AUTOSELECT=YES"
    ) { context in
      guard let multivariant = context.multivariant else { return [] }
      return groups(of: multivariant).flatMap { group, members -> [PresentationRemark] in
        var words: [String] = []
        if members.contains(where: \.title.isEmpty) { words.append("a rendition has no NAME") }
        if Set(members.map(\.title)).count < members.count {
          words.append("two renditions have the same NAME")
        }
        if members.count(where: \.isDefault) > 1 { words.append("two renditions are the default") }
        return words.map { PresentationRemark(context.name, "in the group \(group) \($0)") }
      }
        + context.text.split(separator: "\n").filter { line in
          line.hasPrefix("#EXT-X-MEDIA:") && line.holds("DEFAULT=YES")
            && line.holds("AUTOSELECT=NO")
        }.map { _ in PresentationRemark(context.name, "a default rendition has AUTOSELECT=NO") }
    },
    PresentationRule(
      "language", apple("multivariant playlist"), .note,
      "alternative audio and subtitles have a LANGUAGE"
    ) { context in
      guard let multivariant = context.multivariant else { return [] }
      return groups(of: multivariant).flatMap { group, members -> [PresentationRemark] in
        guard members.count > 1 || members.first?.kind == .subtitles else { return [] }
        return members.filter { $0.language == nil }.map {
          PresentationRemark(
            $0.name ?? context.name, "\($0.title) in the group \(group) has no LANGUAGE")
        }
      }
    },
    PresentationRule(
      "channels", apple("multivariant playlist"), .warning,
      "audio has CHANNELS, with the number of channels"
    ) { context in
      guard let multivariant = context.multivariant else { return [] }
      return multivariant.renditions.filter { $0.kind == .audio }.compactMap { rendition in
        let measured = context.playlist(rendition.name)?.facts.first
        guard let declared = rendition.channels else {
          return PresentationRemark(rendition.name ?? context.name, "has no CHANNELS")
        }
        guard let found = measured?.channels, found != declared else { return nil }
        return PresentationRemark(
          rendition.name ?? context.name, "CHANNELS is \(declared), but the audio has \(found)")
      }
    },
    PresentationRule(
      "closed-captions", "RFC 8216, 4.3.4.2", .error,
      "CLOSED-CAPTIONS is NONE for all variants or for none"
    ) { context in
      guard let multivariant = context.multivariant else { return [] }
      let silent = multivariant.variants.filter { $0.closedCaptions == "NONE" }
      guard !silent.isEmpty, silent.count < multivariant.variants.count else { return [] }
      return [
        PresentationRemark(
          context.name,
          "\(silent.count) of \(multivariant.variants.count) variants say CLOSED-CAPTIONS=NONE")
      ]
    },
    PresentationRule(
      "instream", "RFC 8216, 4.3.4.1", .error,
      "closed captions have an INSTREAM-ID, CC1 to CC4 or SERVICE1 to SERVICE63, and nothing else has one"
    ) { context in
      guard let multivariant = context.multivariant else { return [] }
      return multivariant.renditions.compactMap { rendition in
        guard rendition.kind == .closedCaptions else {
          return rendition.instream.map { channel in
            PresentationRemark(
              context.name,
              "\(rendition.title) is no closed captions, but has INSTREAM-ID \(channel)")
          }
        }
        let channel = rendition.instream ?? ""
        guard !CaptionChannels.all.contains(channel) else { return nil }
        return PresentationRemark(
          context.name,
          channel.isEmpty
            ? "\(rendition.title) has no INSTREAM-ID"
            : "\(rendition.title) has the INSTREAM-ID \(channel)")
      }
    },
    PresentationRule(
      "captions", apple("multivariant playlist"), .warning,
      "closed captions in the pictures are declared with their channels"
    ) { context in
      guard let multivariant = context.multivariant else { return [] }
      return multivariant.variants.compactMap { variant in
        let segments = context.playlist(variant.name)?.segments ?? []
        let found = Set(segments.flatMap { $0?.captions ?? [] })
        let declared = context.members(variant.closedCaptions, .closedCaptions).map(\.instream)
        let missing = found.filter { !declared.contains($0) }.sorted()
        guard !missing.isEmpty else { return nil }
        return PresentationRemark(
          variant.name,
          "its pictures have captions in \(missing.joined(separator: ", ")), CLOSED-CAPTIONS "
            + (variant.closedCaptions.map { "is \($0)" } ?? "is missing"))
      }
    },
  ]

  private static func groups(of playlist: MultivariantPlaylist) -> [(
    name: String, members: [MultivariantPlaylist.Rendition]
  )] {
    var result: [(name: String, members: [MultivariantPlaylist.Rendition])] = []
    for rendition in playlist.renditions {
      if let place = result.firstIndex(where: {
        $0.name == rendition.group && $0.members.first?.kind == rendition.kind
      }) {
        result[place].members.append(rendition)
      } else {
        result.append((rendition.group, [rendition]))
      }
    }
    return result
  }
}
