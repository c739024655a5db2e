// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import HLS

/// The rules for segments, and for what playlists declare about them.
extension PresentationRule {
  static let segmentRules: [PresentationRule] = [
    PresentationRule(
      "segment-readable", "RFC 8216, 3", .error, "every segment exists and can be read"
    ) { context in
      context.playlists.flatMap { measured in
        measured.failures.map { failure in
          PresentationRemark(measured.path, failure.reason, segment: failure.segment + 1)
        }
      }
    },
    PresentationRule(
      "segment-duration", "RFC 8216, 4.3.2.1", .error, or: [.warning],
      "EXTINF is the duration of the segment: a warning beyond 0.1 s, an error beyond 0.5 s"
    ) { context in
      context.media.flatMap { measured in
        measured.segments.indices.compactMap { index -> PresentationRemark? in
          guard let duration = measured.duration(of: index),
            let declared = measured.playlist.segments[index].duration.rounded(to: 1_000_000),
            abs(declared - duration) > 100_000
          else { return nil }
          return PresentationRemark(
            measured.path, "lasts \(seconds(duration)) s, EXTINF says \(seconds(declared))",
            segment: index + 1, abs(declared - duration) > 500_000 ? nil : .warning)
        }
      }
    },
    PresentationRule(
      "segment-key-frame", apple("media segmentation"), .error,
      "every segment of video begins with a key frame"
    ) { context in
      context.playlists.filter { $0.role == .variant || $0.role == .keyFrames }.flatMap {
        measured in
        measured.segments.enumerated().compactMap { index, segment in
          guard let segment, segment.samples > 0, !segment.startsWithKeyFrame else { return nil }
          return PresentationRemark(
            measured.path, "does not begin with a key frame", segment: index + 1,
            fix: "cut segments at key frames")
        }
      }
    },
    PresentationRule(
      "independent", "RFC 8216, 4.3.5.1", .error,
      "with EXT-X-INDEPENDENT-SEGMENTS, no segment needs another to be decoded"
    ) { context in
      context.media.flatMap { measured -> [PresentationRemark] in
        guard
          measured.playlist.hasIndependentSegments
            || context.multivariant?.hasIndependentSegments == true
        else { return [] }
        return measured.segments.enumerated().compactMap { index, segment in
          guard let segment, segment.samples > 0,
            !segment.startsWithKeyFrame || segment.startsWithLeading
          else { return nil }
          // Nothing precedes the first segment.
          guard index > 0 || !segment.startsWithKeyFrame else { return nil }
          return PresentationRemark(
            measured.path,
            segment.startsWithKeyFrame
              ? "begins with an open group of pictures, whose leading pictures need the previous segment"
              : "begins in the middle of a group of pictures", segment: index + 1,
            fix: "remove EXT-X-INDEPENDENT-SEGMENTS, or encode with closed groups")
        }
      }
    },
    PresentationRule(
      "continuity", "RFC 8216, 4.3.2.3", .error, or: [.warning],
      "a segment begins when the previous one ends, or after EXT-X-DISCONTINUITY: a warning up to 0.5 s"
    ) { context in
      context.media.flatMap { measured in
        measured.segments.indices.dropFirst().compactMap { index -> PresentationRemark? in
          guard !measured.playlist.segments[index].isDiscontinuous,
            let before = measured.segments[index - 1], let segment = measured.segments[index],
            before.samples > 0, segment.samples > 0
          else { return nil }
          let gap = segment.start - before.end
          guard abs(gap) > max(before.step, segment.step) + 10_000 else { return nil }
          return PresentationRemark(
            measured.path,
            gap > 0
              ? "begins \(seconds(gap)) s after the previous one ends"
              : "begins \(seconds(-gap)) s before the previous one ends",
            segment: index + 1, abs(gap) > 500_000 ? nil : .warning)
        }
      }
    },
    PresentationRule(
      "alignment", apple("media segmentation"), .warning,
      "segments of all variants begin at the same times"
    ) { context in
      guard let first = context.videos.first else { return [] }
      return context.videos.dropFirst().compactMap { other in
        func starts(_ measured: MeasuredPlaylist) -> [Int64] {
          measured.segments.compactMap { $0?.start }
        }
        let pairs = zip(starts(first), starts(other))
        let step = max(first.segments.first??.step ?? 0, other.segments.first??.step ?? 0)
        if let place = pairs.enumerated().first(where: {
          abs($0.element.0 - $0.element.1) > step + 10_000
        }) {
          return PresentationRemark(
            other.path,
            "begins at \(seconds(place.element.1)) s, in \(first.path) at \(seconds(place.element.0)) s",
            segment: place.offset + 1,
            fix: "encode all variants with key frames at the same times")
        }
        guard starts(first).count != starts(other).count else { return nil }
        return PresentationRemark(
          other.path, "has \(starts(other).count) segments, \(first.path) \(starts(first).count)")
      }
    },
    PresentationRule(
      "length", apple("multivariant playlist"), .warning,
      "all renditions have the same duration, within a second"
    ) { context in
      let ended = context.playlists.filter(\.playlist.isEnded)
      guard let longest = ended.max(by: { $0.length < $1.length }) else { return [] }
      return ended.compactMap { measured in
        guard longest.length - measured.length > 1_000_000 else { return nil }
        return PresentationRemark(
          measured.path,
          "lasts \(seconds(measured.length)) s, \(longest.path) \(seconds(longest.length)) s")
      }
    },
    PresentationRule(
      "entry", apple("video"), .error,
      "the sample entry of HEVC and Dolby Vision is hvc1 or dvh1, which Apple's players need, and dvh1 for profile 5"
    ) { context in
      context.videos.compactMap { measured in
        if let codec = measured.video?.codec, codec.hasPrefix("hvc1"),
          let profile = measured.video?.loneDolbyVision
        {
          return PresentationRemark(
            measured.path,
            "has Dolby Vision \(profile) in hvc1, which players without it show in wrong colours",
            fix: "make the sample entry dvh1")
        }
        guard let codec = measured.video?.codec,
          ["hev1", "dvhe"].contains(where: { codec.hasPrefix($0) })
        else { return nil }
        return PresentationRemark(
          measured.path, "has the sample entry \(codec.prefix(4))",
          fix: "remux it; all parameter sets have to be in the header")
      }
    },
    PresentationRule(
      "hevc-container", apple("video"), .error, "segments of HEVC are fragmented MP4"
    ) { context in
      context.videos.compactMap { measured in
        guard measured.kind == .mpegTS, measured.video?.codec.hasPrefix("hvc1") == true else {
          return nil
        }
        return PresentationRemark(measured.path, "has HEVC in transport streams")
      }
    },
    PresentationRule(
      "webvtt", "RFC 8216, 3.5", .error, or: [.warning],
      "segments of subtitles are WebVTT with an X-TIMESTAMP-MAP, or IMSC1 in fragmented MP4"
    ) { context in
      context.playlists.filter { $0.role == .subtitles }.flatMap { measured in
        measured.titles.enumerated().compactMap { index, text -> PresentationRemark? in
          if !text.hasPrefix("WEBVTT"), !text.hasPrefix("\u{feff}WEBVTT") {
            return PresentationRemark(
              measured.path, "does not begin with WEBVTT", segment: index + 1)
          }
          guard !text.holds("X-TIMESTAMP-MAP=") else { return nil }
          return PresentationRemark(
            measured.path, "has no X-TIMESTAMP-MAP", segment: index + 1, .warning)
        }
      }
    },
  ]

  /// Formats microseconds as seconds with at most three decimals.
  static func seconds(_ microseconds: Int64) -> String {
    (Double(microseconds) / 1_000_000).decimal(places: 0...3)
  }
}
