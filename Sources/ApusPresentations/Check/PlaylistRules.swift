// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import HLS

/// The rules for the text of playlists.
extension PresentationRule {
  static let playlistRules: [PresentationRule] = [
    PresentationRule(
      "playlist-readable", "RFC 8216, 4.1", .error, "every playlist exists and can be read"
    ) { context in
      context.failures.map { PresentationRemark($0.path, $0.reason) }
    },
    PresentationRule(
      "multivariant", apple("multivariant playlist"), .note,
      "the renditions are listed in a multivariant playlist"
    ) { context in
      context.multivariant != nil
        ? [] : [PresentationRemark(context.name, "is the playlist of one rendition")]
    },
    PresentationRule(
      "version", "RFC 8216, 7", .error, "EXT-X-VERSION is high enough for what the playlist uses"
    ) { context in
      context.playlists.compactMap { measured in
        let playlist = measured.playlist
        var needed: [(version: Int, what: String)] = [(1, "")]
        if playlist.segments.contains(where: { $0.duration.timescale > 1 }) {
          needed.append((3, "fractions of a second"))
        }
        if playlist.segments.contains(where: { $0.range != nil }) { needed.append((4, "ranges")) }
        if playlist.isKeyFramesOnly { needed.append((4, "EXT-X-I-FRAMES-ONLY")) }
        if playlist.segments.contains(where: { $0.header != nil }) {
          needed.append((playlist.isKeyFramesOnly ? 5 : 6, "EXT-X-MAP"))
        }
        if measured.text.holds("#EXT-X-SKIP:") { needed.append((9, "EXT-X-SKIP")) }
        guard let most = needed.max(by: { $0.version < $1.version }),
          playlist.version < most.version
        else { return nil }
        return PresentationRemark(
          measured.path, "EXT-X-VERSION is \(playlist.version), \(most.what) needs \(most.version)",
          fix: "write EXT-X-VERSION:\(most.version)")
      }
    },
    PresentationRule(
      "target-duration", "RFC 8216, 4.3.3.1", .error,
      "EXT-X-TARGETDURATION is present, and no rounded segment duration exceeds it"
    ) { context in
      context.playlists.flatMap { measured -> [PresentationRemark] in
        let target = measured.playlist.targetDuration
        guard measured.text.holds("#EXT-X-TARGETDURATION:") else {
          return [PresentationRemark(measured.path, "has no EXT-X-TARGETDURATION")]
        }
        return measured.playlist.segments.enumerated().compactMap { index, segment in
          guard let length = segment.duration.rounded(to: 1), length > Int64(target) else {
            return nil
          }
          return PresentationRemark(
            measured.path, "lasts \(length) s, the target duration is \(target)",
            segment: index + 1)
        }
      }
    },
    PresentationRule(
      "same-target", "RFC 8216, 6.2.4", .error,
      "all playlists of video and audio have the same target duration"
    ) { context in
      guard let first = context.media.first else { return [] }
      return context.media.dropFirst().compactMap { other in
        guard other.playlist.targetDuration != first.playlist.targetDuration else { return nil }
        return PresentationRemark(
          other.path,
          "has the target duration \(other.playlist.targetDuration), \(first.path) \(first.playlist.targetDuration)"
        )
      }
    },
    PresentationRule(
      "vod", apple("media playlists"), .warning,
      "a playlist with an end has EXT-X-PLAYLIST-TYPE:VOD, and the reverse"
    ) { context in
      context.playlists.compactMap { measured in
        let (isVOD, isEnded) = (measured.playlist.kind == .vod, measured.playlist.isEnded)
        if isEnded, measured.playlist.kind == nil {
          return PresentationRemark(
            measured.path, "has an end but no EXT-X-PLAYLIST-TYPE",
            fix: "write EXT-X-PLAYLIST-TYPE:VOD")
        }
        if isVOD, !isEnded {
          return PresentationRemark(measured.path, "has type VOD but no EXT-X-ENDLIST")
        }
        return nil
      }
    },
    PresentationRule(
      "header", "RFC 8216, 3.3", .error,
      "segments of MP4 have an EXT-X-MAP"
    ) { context in
      context.media.compactMap { measured in
        guard measured.kind == .isoBMFF,
          measured.playlist.segments.contains(where: { $0.header == nil })
        else { return nil }
        return PresentationRemark(measured.path, "has segments of MP4 without an EXT-X-MAP")
      }
    },
    PresentationRule(
      "independent-said", apple("multivariant playlist"), .warning, or: [.note],
      "the multivariant playlist has EXT-X-INDEPENDENT-SEGMENTS if it is true"
    ) { context in
      guard let multivariant = context.multivariant, !multivariant.hasIndependentSegments,
        !context.media.isEmpty, context.failures.isEmpty,
        // Segments that are still to come are unknown.
        context.media.allSatisfy({ $0.failures.isEmpty && $0.playlist.isEnded })
      else { return [] }
      let isTrue = context.media.allSatisfy { measured in
        measured.segments.allSatisfy {
          $0.map { $0.startsWithKeyFrame && !$0.startsWithLeading } ?? false
        }
      }
      return [
        isTrue
          ? PresentationRemark(
            context.name, "has no EXT-X-INDEPENDENT-SEGMENTS, although it is true",
            fix: "write EXT-X-INDEPENDENT-SEGMENTS")
          : PresentationRemark(
            context.name,
            "cannot have EXT-X-INDEPENDENT-SEGMENTS, because segments need previous ones",
            .note,
            fix: "encode it with closed groups of pictures and a key frame at each segment")
      ]
    },
  ]
}
