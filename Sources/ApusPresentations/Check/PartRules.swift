// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import HLS

/// The rules for parts of segments, and for what playlists declare about them.
extension PresentationRule {
  static let partRules: [PresentationRule] = [
    PresentationRule(
      "part-readable", "RFC 8216bis, 4.4.4.9", .error,
      "every part of a segment exists and can be read"
    ) { context in
      context.playlists.flatMap { measured in
        measured.partFailures.map { failure in
          PresentationRemark(measured.path, failure.reason, segment: failure.segment + 1)
        }
      }
    },
    PresentationRule(
      "part-duration", "RFC 8216bis, 4.4.4.9", .error, or: [.warning],
      "no part is longer than PART-TARGET, or (a warning) shorter than 85 % of it, except the last of a segment and "
        + "independent parts"
    ) { context in
      parts(context) { measured, place in
        guard let target = microseconds(measured.playlist.partTiming?.target),
          let length = microseconds(place.part.duration)
        else { return nil }
        if length > target {
          return ("lasts \(seconds(length)) s, PART-TARGET is \(seconds(target))", .error)
        }
        let mayBeShort =
          place.isLast || place.isBeforeGap || place.part.isIndependent || place.part.isGap
        guard !mayBeShort, length < target / 100 * 85 else { return nil }
        return (
          "lasts \(seconds(length)) s, which is less than 85 % of the PART-TARGET of \(seconds(target)) s",
          .warning
        )
      }
    },
    PresentationRule(
      "part-length", "RFC 8216bis, 4.4.4.9", .error, or: [.warning],
      "DURATION is that of the part: a warning beyond 0.05 s, an error beyond 0.2 s"
    ) { context in
      parts(context) { _, place in
        guard let found = place.measured, let declared = microseconds(place.part.duration),
          found.length > 0
        else { return nil }
        let off = abs(declared - found.length)
        guard off > 50_000 else { return nil }
        return (
          "has samples for \(seconds(found.length)) s, DURATION says \(seconds(declared))",
          off > 200_000 ? .error : .warning
        )
      }
    },
    PresentationRule(
      "part-independent", "RFC 8216bis, 4.4.4.9", .error, or: [.warning],
      "parts with a key frame, and no others, have INDEPENDENT=YES: a warning if it is missing"
    ) { context in
      parts(context) { _, place in
        guard let found = place.measured, found.samples > 0,
          found.hasKeyFrame != place.part.isIndependent
        else { return nil }
        return found.hasKeyFrame
          ? ("has a key frame but no INDEPENDENT=YES", .warning)
          : ("has INDEPENDENT=YES but no key frame", .error)
      }
    },
    PresentationRule(
      "part-whole", "RFC 8216bis, 4.4.4.9", .error,
      "the parts of a segment have the same content as the segment"
    ) { context in
      context.playlists.flatMap { measured in
        measured.segments.enumerated().compactMap { index, segment -> PresentationRemark? in
          let parts = measured.parts[index]
          guard let segment, segment.samples > 0, !parts.isEmpty,
            parts.allSatisfy({ $0 != nil })
          else { return nil }
          let count = parts.reduce(0) { $0 + ($1?.samples ?? 0) }
          guard count != segment.samples else { return nil }
          return PresentationRemark(
            measured.path, "has \(segment.samples) samples, its parts \(count)", segment: index + 1)
        }
      }
    },
    PresentationRule(
      "part-age", "RFC 8216bis, 6.2.2", .warning,
      "only segments of the last three target durations have parts"
    ) { context in
      context.playlists.compactMap { measured in
        let all = measured.segmentsWithParts
        var after: Int64 = 0
        for (index, segment) in all.enumerated().reversed() {
          if !segment.parts.isEmpty, after > measured.playlist.targetMicroseconds(times: 3) {
            return PresentationRemark(
              measured.path, "has parts, and ends \(seconds(after)) s before the end",
              segment: index + 1)
          }
          let isWhole = index < measured.playlist.segments.count
          after &+=
            isWhole
            ? microseconds(segment.duration) ?? 0
            : segment.parts.reduce(0) { $0 &+ (microseconds($1.duration) ?? 0) }
        }
        return nil
      }
    },
  ]

  /// A part and its position.
  private struct Place {
    var part: PartialSegment
    var measured: MeasuredSegment?
    /// Whether it is the last part of a complete segment.
    var isLast: Bool
    var isBeforeGap: Bool
  }

  /// Checks each part.
  private static func parts(
    _ context: PresentationContext,
    _ check: (MeasuredPlaylist, Place) -> (message: String, severity: Finding.Severity)?
  ) -> [PresentationRemark] {
    context.playlists.flatMap { measured in
      measured.segmentsWithParts.enumerated().flatMap { index, segment in
        segment.parts.enumerated().compactMap { number, part -> PresentationRemark? in
          let isEnd = number == segment.parts.count - 1
          let place = Place(
            part: part, measured: measured.parts[index][number],
            // The last part of an incomplete segment may become that of the complete one.
            isLast: isEnd, isBeforeGap: !isEnd && segment.parts[number + 1].isGap)
          guard let (message, severity) = check(measured, place) else { return nil }
          return PresentationRemark(
            measured.path, "part \(number + 1) \(message)", segment: index + 1, severity)
        }
      }
    }
  }

  static func microseconds(_ time: RationalTime?) -> Int64? { time?.rounded(to: 1_000_000) }
}
