// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import HLS

/// The rules for playlists with parts as a whole.
extension PresentationRule {
  static let lowLatencyRules: [PresentationRule] = [
    PresentationRule(
      "part-target", "RFC 8216bis, 4.4.3.7", .error,
      "a playlist with parts has EXT-X-PART-INF, and no end"
    ) { context in
      context.playlists.compactMap { measured in
        let hasParts = measured.segmentsWithParts.contains { !$0.parts.isEmpty }
        if hasParts, measured.playlist.partTiming == nil {
          return PresentationRemark(measured.path, "has parts but no EXT-X-PART-INF")
        }
        if measured.playlist.isEnded, measured.playlist.growing != nil {
          return PresentationRemark(
            measured.path, "has an end, but parts of a segment that does not exist")
        }
        return nil
      }
    },
    PresentationRule(
      "part-hold-back", "RFC 8216bis, 4.4.3.8", .error, or: [.warning],
      "PART-HOLD-BACK is present, and at least twice PART-TARGET: a warning below three times"
    ) { context in
      context.playlists.compactMap { measured in
        guard let timing = measured.playlist.partTiming,
          let target = microseconds(timing.target)
        else { return nil }
        guard let holdBack = microseconds(timing.holdBack) else {
          return PresentationRemark(
            measured.path, "has EXT-X-PART-INF and no PART-HOLD-BACK",
            fix: "write EXT-X-SERVER-CONTROL:PART-HOLD-BACK=\(seconds(target &* 3))")
        }
        // Both are written with few digits, so a small difference is allowed.
        guard holdBack < target &* 3 &- 1000 else { return nil }
        return PresentationRemark(
          measured.path,
          "PART-HOLD-BACK is \(seconds(holdBack)), PART-TARGET is \(seconds(target))",
          holdBack < target &* 2 &- 1000 ? nil : .warning,
          fix: "write PART-HOLD-BACK=\(seconds(target &* 3))")
      }
    },
    PresentationRule(
      "block-reload", "RFC 8216bis, Appendix B.1", .note,
      "a server of parts holds requests until it can answer them (CAN-BLOCK-RELOAD=YES)"
    ) { context in
      context.playlists.compactMap { measured in
        guard let timing = measured.playlist.partTiming, !measured.playlist.isEnded,
          !timing.canBlockReload
        else { return nil }
        return PresentationRemark(
          measured.path,
          "has parts and no CAN-BLOCK-RELOAD=YES: some players play it with the latency of segments"
        )
      }
    },
    PresentationRule(
      "preload-hint", "RFC 8216bis, 4.4.5.3", .error, or: [.warning],
      "EXT-X-PRELOAD-HINT names a part that is not in the playlist yet; a warning if the server does not wait for it"
    ) { context in
      context.playlists.compactMap { measured in
        let playlist = measured.playlist
        guard let hint = playlist.partHint else {
          guard playlist.partTiming?.canBlockReload == true, playlist.growing != nil else {
            return nil
          }
          return PresentationRemark(
            measured.path, "has parts of a segment and no EXT-X-PRELOAD-HINT", .warning)
        }
        if playlist.isEnded {
          return PresentationRemark(measured.path, "has an end, but announces \(hint)")
        }
        let isThere = measured.segmentsWithParts.contains { segment in
          segment.parts.contains { $0.name == hint && $0.range == nil }
        }
        if isThere {
          return PresentationRemark(measured.path, "announces \(hint), which already exists")
        }
        guard playlist.partTiming?.canBlockReload != true else { return nil }
        return PresentationRemark(
          measured.path, "announces \(hint), but has no CAN-BLOCK-RELOAD=YES", .warning)
      }
    },
    PresentationRule(
      "skip-boundary", "RFC 8216bis, 4.4.3.8 and 4.4.5.2", .error,
      "CAN-SKIP-UNTIL is at least six target durations, and EXT-X-SKIP leaves out only segments that end farther from the end"
    ) { context in
      context.playlists.compactMap { measured in
        let playlist = measured.playlist
        let boundary = microseconds(playlist.skipBoundary)
        let least = playlist.targetMicroseconds(times: MediaPlaylist.leastSkipBoundary)
        if let boundary, boundary < least {
          return PresentationRemark(
            measured.path,
            "CAN-SKIP-UNTIL is \(seconds(boundary)), the target duration is \(playlist.targetDuration)",
            fix: "write CAN-SKIP-UNTIL=\(seconds(least))")
        }
        guard playlist.skippedSegments > 0 else { return nil }
        guard let boundary else {
          return PresentationRemark(
            measured.path, "leaves out segments (EXT-X-SKIP), but has no CAN-SKIP-UNTIL")
        }
        let kept = playlist.microseconds
        guard kept < boundary else { return nil }
        return PresentationRemark(
          measured.path,
          "leaves out segments up to \(seconds(kept)) s before the end, CAN-SKIP-UNTIL is \(seconds(boundary))",
          fix: "leave out fewer segments")
      }
    },
    PresentationRule(
      "rendition-reports", "RFC 8216bis, 4.4.5.4", .error, or: [.warning],
      "EXT-X-RENDITION-REPORT names the other playlists of the presentation, each once: a warning if one is missing"
    ) { context in
      let live = context.media.filter { $0.playlist.partTiming != nil && !$0.playlist.isEnded }
      return live.flatMap { measured -> [PresentationRemark] in
        let named = measured.playlist.renditionReports.map { report in
          (try? PlaylistPath.resolved(report.name, in: measured.base)) ?? report.name
        }
        var remarks: [PresentationRemark] = []
        for (place, path) in named.enumerated() {
          if path == measured.path {
            remarks.append(PresentationRemark(measured.path, "reports on itself"))
          } else if named.firstIndex(of: path) != place {
            remarks.append(PresentationRemark(measured.path, "reports on \(path) twice"))
          } else if context.multivariant != nil, !context.media.contains(where: { $0.path == path })
          {
            remarks.append(
              PresentationRemark(measured.path, "reports on \(path), which is not a rendition"))
          }
        }
        let missing = live.map(\.path).filter { $0 != measured.path && !named.contains($0) }
        return remarks
          + missing.map { PresentationRemark(measured.path, "does not report on \($0)", .warning) }
      }
    },
  ]
}
